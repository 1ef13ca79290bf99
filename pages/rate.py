"""Rate the texts of a study: the only page a rating link shows."""

import streamlit as st

from app.rate import rating
from app.shared import loaders, pickers
from core import CoreError

token = st.query_params.get("a", "")
try:
    rating.show(loaders.studies(), token)
except CoreError as error:
    st.error(pickers.plain(str(error)))
