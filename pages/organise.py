"""Organise studies: make one, hand out links, watch it, read its results, take them away."""

import streamlit as st

from app.organise import results as organise_results
from app.organise import running as organise
from app.organise import wizard as organise_wizard
from app.shared import door, loaders, pickers
from core import CoreError
from core.study.judgements import judged_items
from core.study.results import results

st.header("Organise studies", anchor=False)
try:
    database = loaders.studies()
    if door.entered(database):
        door.sign_out_button()
        chosen = organise.choose(database)
        if chosen is None:
            organise_wizard.show(database)
        else:
            organise.live(database, chosen)
            items = judged_items(database, chosen.id)
            found = results(items, chosen.design.seed)
            running, result, export = st.tabs(["Raters and links", "Results", "Export"])
            with running:
                organise.monitor(database, chosen)
            with result:
                organise_results.show(chosen, items, found)
            with export:
                organise_results.export(database, chosen, found)
except CoreError as error:
    st.error(pickers.plain(str(error)))
