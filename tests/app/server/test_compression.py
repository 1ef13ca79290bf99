"""Scripts are sent small."""

import gzip

from app.server.compression import CompressedFiles, known_files
from tests.toys.asgi import asked, pages

SOME_SCRIPT = next(path for path in known_files() if path.endswith(".js"))


def test_scripts_are_sent_small_and_whole() -> None:
    app = CompressedFiles(pages)
    status, headers, content = asked(app, SOME_SCRIPT, accept_encoding="gzip, br")
    assert (status, headers["content-encoding"]) == (200, "gzip")
    assert gzip.decompress(content) == known_files()[SOME_SCRIPT].read_bytes()
    assert asked(app, SOME_SCRIPT)[2] == b"behind"  # a browser that cannot take it
    assert asked(app, "/static/../main.py", accept_encoding="gzip")[2] == b"behind"
