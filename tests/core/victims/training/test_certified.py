"""The loss of certified training counts no less than what changes can really do."""

from itertools import combinations, product

import pytest
import torch

from core.victims.training.certified import Changeable, Changes, worst_scores
from tests.toys import small_cnn


@pytest.mark.parametrize("seed", range(15))
def test_no_changes_are_worse_than_the_worst_scores(seed: int) -> None:
    network = small_cnn.network(seed, labels=3)
    draw = torch.Generator().manual_seed(seed)
    ids = torch.randint(2, 9, (4,), generator=draw).tolist()
    others = tuple(
        tuple(torch.randint(2, 9, (int(torch.randint(0, 3, (1,), generator=draw)),)).tolist())
        for _ in ids
    )
    label, most = seed % 3, 1 + seed % 3
    rows = [Changeable(tuple(ids), others, most, label), Changeable((2,), ((3,),), 1, label)]
    worst = worst_scores(network, Changes.of(rows))[0]
    assert worst[label] == 0
    for count in range(most + 1):
        for places in combinations(range(len(ids)), count):
            for chosen in product(*(others[place] for place in places)):
                text = list(ids)
                for place, number in zip(places, chosen, strict=True):
                    text[place] = number
                scores = network(torch.tensor([text]), torch.tensor([len(text)]))[0]
                assert (scores - scores[label] <= worst + 1e-4).all()


def test_without_changes_the_scores_are_those_of_the_network() -> None:
    network = small_cnn.network(1, labels=2)
    ids = (2, 5, 3)
    rows = [Changeable(ids, ((),) * 3, 2, 1), Changeable((*ids, 4, 6), ((),) * 5, 1, 0)]
    worst = worst_scores(network, Changes.of(rows))
    scores = network(torch.tensor([ids]), torch.tensor([3]))[0]
    assert worst[0, 0].item() == pytest.approx((scores[0] - scores[1]).item(), abs=1e-5)
