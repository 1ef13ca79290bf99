"""How the trained victims are made."""

from core.victims import recipes
from core.victims.recipes import RECIPES


def test_every_recipe_has_labels_and_names_its_data() -> None:
    for recipe in RECIPES.values():
        assert recipe.labels == recipes.LABELS[recipe.data]
        assert recipe.data in recipes.TASKS
        assert recipe.data in recipes.DATA
