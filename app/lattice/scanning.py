"""Scanning the lattice: every substitute scored on its own, in the background."""

import streamlit as st

from app.lattice.play import Play
from app.shared import jobs, running
from app.shared.jobs import MB, VISITOR_BYTES, Computation
from core import CoreError


def show(play: Play, start: bool) -> None:
    """Start a scan, or show how far it is; what was scanned is kept when it is stopped."""
    held, key = jobs.session_jobs("scan"), (play.question.scoring_key, "scan")
    if start and play.has_room(play.space.elements):
        held.begin(key, lambda: Computation(play.scan())).wait(running.MOMENT)
    scan = held.get(key)
    if scan is not None and scan.running and not scan.cancelled:
        running.watch("scan", key, _tell, name="stop")
    elif scan is not None:
        held.forget(key)
        if scan.error:
            raise CoreError(scan.error)
        if start:
            st.rerun()  # so that its button knows that it is over
    if not play.has_room():
        st.warning(
            f"You have tried so many sentences that they fill the {VISITOR_BYTES // MB} MB that "
            "this page keeps, or the memory of this server is full. Save your trace, then close "
            "other tabs, or change the sentence to start anew."
        )
    elif not play.scanned and not play.has_room(play.space.elements):
        st.caption("This text is too long to scan. Take a shorter one, or fewer substitutes.")


def _tell(scan: Computation[float, None]) -> tuple[float, str]:
    return scan.last or 0.0, "Scanning every substitute …"
