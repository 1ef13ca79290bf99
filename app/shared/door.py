"""Who may do what: on an open server only the organiser starts work, and Organise is always theirs.

Buttons that a visitor may not press are not drawn, and what they do asks here again: a browser can
send a click on a button that nobody sees.
"""

import logging
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from math import ceil

import streamlit as st

from app.shared import loaders, visitor
from app.shared.pickers import plain
from core import CoreError
from core.study import access
from core.study.access import SHORTEST, SHORTEST_ON_A_NETWORK
from core.study.database import Database

_ENTERED = "organise.in"
_TRY, _REFUSAL = "door.try", "door.refusal"
_OWN = ("organise.", "wizard.", "door.")  # what a session holds of the organiser's
POLL = 1.0  # seconds between two looks whether a try has waited long enough
clock: Callable[[], float] = time.time


@dataclass(frozen=True)
class Try:
    """What was typed, and when it is judged."""

    passphrase: str
    code: str | None  # the set-up code, where it was asked for
    due: float


def has_entered() -> bool:
    """Whether this session knows the passphrase."""
    return bool(st.session_state.get(_ENTERED))


def allowed() -> bool:
    """Whether this visitor may start, resume and cancel work: on an own machine everybody may."""
    return has_entered() or not visitor.server_is_open()


def entered(database: Database) -> bool:
    """Whether this session knows the passphrase; if not, ask for it."""
    if has_entered():
        return True
    if _TRY in st.session_state:
        st.fragment(lambda: _wait(database), run_every=POLL)()
    else:
        _ask(database)
    return False


def opens(title: str, sentence: str) -> bool:
    """Whether this visitor may do what is asked for; if not, the page says so and asks right there.

    On an open server who has entered can leave again here.
    """
    if allowed():
        sign_out_button()
        return True
    with st.expander(title):
        st.markdown(plain(sentence))
        try:
            entered(loaders.studies())
        except CoreError as error:
            st.error(plain(str(error)))
    return False


def sign_out_button() -> None:
    """A way out for who has entered; on an own machine there is nobody to hide from."""
    if has_entered() and visitor.server_is_open():
        st.button("Sign out", key="door.out", on_click=sign_out)


def sign_out() -> None:
    """Forget the passphrase was known, and what this session holds of the organiser's."""
    for key in [key for key in st.session_state if str(key).startswith(_OWN)]:
        del st.session_state[key]


def _ask(database: Database) -> None:
    first = not access.passphrase_is_set(database)
    with_code = first and visitor.server_is_open()
    code = None
    with st.form("organise.door"):
        if with_code:
            _tell_setup_code()
            st.markdown(
                "Nobody has chosen a passphrase yet. The terminal in which the server was started "
                "shows a set-up code: type it here, and a passphrase that opens this from now on, "
                f"of at least {SHORTEST_ON_A_NETWORK} characters."
            )
            code = st.text_input("Set-up code", key="organise.code")
        elif first:
            st.markdown("Choose a passphrase. It opens this page from now on; keep it safe.")
        else:
            st.markdown("Only the organiser opens this: enter the passphrase.")
        typed = st.text_input("Passphrase", type="password", key="organise.passphrase")
        sent = st.form_submit_button("Set the passphrase" if first else "Open", type="primary")
    if refusal := st.session_state.pop(_REFUSAL, ""):
        st.error(plain(refusal))
    if not sent:
        return
    if first:  # before a try is counted
        access.check_passphrase(typed, SHORTEST_ON_A_NETWORK if with_code else SHORTEST)
    if first and not with_code:
        access.set_passphrase(database, typed)
        _enter()
    who, now = visitor.current(), clock()
    wait = access.count_try(database, who.address, who.session, now)
    st.session_state[_TRY] = Try(typed, code, now + wait)
    if wait:
        st.rerun()
    _judge(database)


def _wait(database: Database) -> None:
    """Say how long a try has to wait, and judge it when it has."""
    left = st.session_state[_TRY].due - clock()
    if left <= 0:
        _judge(database)
    seconds = "1 second" if left <= 1 else f"{ceil(left)} seconds"
    st.info(
        "There were wrong tries on this page or from your network, so the next ones wait. "
        f"Yours is checked in {seconds}; this page goes on by itself."
    )


def _judge(database: Database) -> None:
    tried: Try = st.session_state.pop(_TRY)
    who = visitor.current()
    try:
        if tried.code is None:
            fits = access.passphrase_fits(database, tried.passphrase, who.address, who.session)
            refusal = "" if fits else "This is not the passphrase."
        elif access.setup_code_fits(tried.code):
            access.set_passphrase(database, tried.passphrase)
            access.forget_tries_of(database, who.address, who.session)
            refusal = ""
        else:
            refusal = "This is not the set-up code. It is in the terminal of the server."
    except CoreError as error:
        refusal = str(error)
    if refusal:
        st.session_state[_REFUSAL] = refusal
        st.rerun()
    _enter()


def _enter() -> None:
    st.session_state[_ENTERED] = True
    st.rerun()


@cache
def _tell_setup_code() -> None:
    """In the terminal, for whoever has not seen it when the server was started."""
    logging.getLogger(__name__).warning("Set-up code for Organise: %s", access.setup_code())
