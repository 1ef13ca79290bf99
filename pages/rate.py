"""Rate the texts of a study: the only page a rating link shows."""

import streamlit as st

from app import loaders, pickers, rating
from core import CoreError

token = st.query_params.get("a", "")
try:
    rating.show(loaders.studies(), token)
except CoreError as error:
    st.error(pickers.plain(str(error)))
