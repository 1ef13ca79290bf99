"""Organise studies: make one, hand out links, watch it, read its results, take them away."""

import streamlit as st

from app.organise import results as organise_results
from app.organise import running as organise
from app.organise import wizard as organise_wizard
from app.shared import door, loaders, pickers
from core import CoreError

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
            running, results, export = st.tabs(["Raters and links", "Results", "Export"])
            with running:
                organise.monitor(database, chosen)
            with results:
                organise_results.show(database, chosen)
            with export:
                organise_results.export(database, chosen)
except CoreError as error:
    st.error(pickers.plain(str(error)))
