"""The paper's theory on the visitor's own sentence: what it says, and when it says nothing."""

import streamlit as st

from app.shared import pickers
from app.shared.question import ask, stop_if_empty
from app.theory import bound, by_hand, certificate, check, earlier_bound, landscape, work
from core import CoreError

OF_A_SENTENCE = {
    "Is f submodular?": check.show,
    "Optimum, bound, searches": bound.show,
    "Local optimum": certificate.show,
    "Landscape": landscape.show,
}
OF_ITS_OWN = {
    "Bounds compared": earlier_bound.show,
    "Set functions by hand": by_hand.show,
}

st.html(work.STYLE)
st.markdown(
    "**The mathematics of the paper on your own sentence**: what its guarantee says, when it "
    "holds, and what is left of it."
)
part = pickers.segments("Part", [*OF_A_SENTENCE, *OF_ITS_OWN], "part")
try:
    if part in OF_ITS_OWN:
        pickers.address(work.FINISHED)
        OF_ITS_OWN[part]()
    else:
        question = ask()
        stop_if_empty(question)
        OF_A_SENTENCE[part](question)
except CoreError as error:
    st.error(pickers.plain(str(error)))
