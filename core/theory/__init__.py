"""The paper's theory, literally, on instances small enough to enumerate."""

from core.theory.asking import Progress, finish
from core.theory.bound import (
    Bound,
    corollary_one,
    corollary_two,
    counts_of,
    theorem_one,
    theorem_one_steps,
    xi_delta,
)
from core.theory.certificate import Certificate, certify, certify_steps
from core.theory.earlier_bound import Statement, check, difference, greedy_bound
from core.theory.index import smi, smi_pairs
from core.theory.landscape import Landscape, Optimum, landscape, visits
from core.theory.searches import (
    Outcome,
    endless,
    local_optimum,
    outcome,
    outcomes,
    outcomes_steps,
)
from core.theory.submodular import (
    Drop,
    Submodularity,
    Violation,
    pairs_of,
    state_of,
    submodularity,
    submodularity_steps,
)
from core.theory.table import (
    LIMIT,
    gains_alone,
    mattering,
    optimum,
    table_goal,
    tabulate,
    tabulate_steps,
    trimmed,
)

__all__ = [
    "LIMIT",
    "Bound",
    "Certificate",
    "Drop",
    "Landscape",
    "Optimum",
    "Outcome",
    "Progress",
    "Statement",
    "Submodularity",
    "Violation",
    "certify",
    "certify_steps",
    "check",
    "corollary_one",
    "corollary_two",
    "counts_of",
    "difference",
    "endless",
    "finish",
    "gains_alone",
    "greedy_bound",
    "landscape",
    "local_optimum",
    "mattering",
    "optimum",
    "outcome",
    "outcomes",
    "outcomes_steps",
    "pairs_of",
    "smi",
    "smi_pairs",
    "state_of",
    "submodularity",
    "submodularity_steps",
    "table_goal",
    "tabulate",
    "tabulate_steps",
    "theorem_one",
    "theorem_one_steps",
    "trimmed",
    "visits",
    "xi_delta",
]
