"""The page into which Streamlit draws: it shows something at once, and says when a line is lost."""

import os
import re
from functools import lru_cache
from pathlib import Path
from typing import Final

from starlette.datastructures import QueryParams
from starlette.responses import HTMLResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send
from streamlit.file_util import get_static_dir

from app.server.compression import TYPES
from core import bundle

ADDRESS: Final = "/shell/"
# Streamlit asks for these only after its first scripts have run; asked for at once, they save
# a slow line two round trips.
SOON: Final = ("BidiComponent", "Html", "Button")
# What is no page: Streamlit's own addresses and the files beside its page.
_NO_PAGE: Final = ("_stcore", "static", "media", "component", "app", ADDRESS.strip("/"))

VISITOR: Final = ("Swapscope", "Watch how attacks on language models search, word by word.")
RATER: Final = ("Rating", "The texts are on their way.")


@lru_cache
def page(title: str, line: str) -> str:
    """Streamlit's own page with a first picture, a script for lost lines, and no inline script."""
    static = Path(get_static_dir())
    text = (static / "index.html").read_text(encoding="utf-8")
    text = re.sub(r"<!--.*?-->|<script>.*?</script>|<noscript>.*?</noscript>", "", text, flags=re.S)
    # On a slow line the scripts come first: the font takes the place of another one later.
    text = re.sub(r'<link\s+rel="(service-desc|preload)"[^>]*>', "", text)
    text = text.replace("<title>Streamlit</title>", f"<title>{title}</title>")
    scripts = (static / "static" / "js").glob("*.js")
    soon = sorted(path.name for path in scripts if path.name.partition(".")[0] in SOON)
    head = "".join(
        [
            '<link rel="stylesheet" href="./shell/shell.css">',
            '<script type="module" src="./shell/shell.js"></script>',
            *(f'<link rel="modulepreload" href="./static/js/{name}">' for name in soon),
        ]
    )
    first = (
        f'<div class="first-picture"><h1>{title}</h1><p>{line}</p>'
        "<noscript><p>This page needs JavaScript. Please switch it on.</p></noscript></div>"
    )
    text = text.replace("</head>", f"{head}</head>")
    return text.replace('<div id="root"></div>', f'<div id="root">{first}</div>')


class Shell:
    """Serves the page of every address that is not Streamlit's own, and the shell's files."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        files = {
            "shell.css": bundle.style("shell.css"),
            "shell.js": bundle.script("shell.js", last="startShell();"),
        }
        self.files = {
            ADDRESS + name: Response(text, media_type=TYPES[Path(name).suffix])
            for name, text in files.items()
        }

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        answer = self._answer(scope) if scope["type"] == "http" else self.app
        await answer(scope, receive, send)

    def _answer(self, scope: Scope) -> ASGIApp:
        path = scope["path"]
        if scope["method"] not in ("GET", "HEAD"):
            return self.app
        if path in self.files:
            return self.files[path]
        if _is_page(path):
            rating = "a" in QueryParams(scope["query_string"])
            return HTMLResponse(
                page(*(RATER if rating else VISITOR)), headers={"Cache-Control": "no-cache"}
            )
        return self.app


def _is_page(path: str) -> bool:
    """Whether an address is a page's: any one name at most, for Streamlit serves no deeper."""
    name = path.removeprefix("/")
    return "/" not in name and name not in (*_NO_PAGE, *os.listdir(get_static_dir()))
