"""Tables that strangers send."""

import io
from typing import Any

import pyarrow
from pyarrow import parquet


def packed(columns: dict[str, Any], **options: Any) -> bytes:
    file = io.BytesIO()
    parquet.write_table(pyarrow.table(columns), file, **options)
    return file.getvalue()


WIDE = {f"column{number}": ["x"] for number in range(201)}
