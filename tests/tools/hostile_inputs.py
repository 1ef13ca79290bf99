"""What somebody with bad intentions types, tells and uploads, as Hypothesis strategies."""

import io
import json
import struct
import zipfile
import zlib
from collections.abc import Callable
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from hypothesis import strategies as st

from core import assets, trace
from core.experiment.store import line_of, record_of
from core.study import exports
from core.study.creating import StudyPlan, create
from core.study.database import Database
from core.study.design import Design
from core.study.items import Item
from tests.toys.narrow import narrow_trace
from tests.toys.sandbox import OTHERS

MARKUP = (
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "[x](javascript:alert(1)) **b** $x$ :red[r] :material/home:",
    "</style></script><!--",
    '" onmouseover=alert(1) x="',
    "{{7*7}} ${7*7} %s%n {0.__class__}",
)
FORMULAS = ("=cmd|' /C calc'!A0", "@SUM(1+1)", "+1+1", "-2+3", "\t=1", "\r=1", '=HYPERLINK("x")')
QUERIES = ("'; DROP TABLE ratings; --", "1 OR 1=1", "\\'; --")
PATHS = ("../../../x", "/etc/passwd", "C:\\x", "..\\..\\x", "\\\\server\\x", "file:///etc/passwd")
SIGNS = (
    "",
    " ",
    "\n",
    "\u202egnihton\u202c",
    "\u200f\u05e9\u05dc\u05d5\u05dd \u0645\u0631\u062d\u0628\u0627",
    "\U0001f468\u200d\U0001f469\u200d\U0001f467\u200d\U0001f466 \U0001f3f4\U000e0067\U000e007f",
    "Z\u0351\u036b\u0343\u036a\u0302" * 20,
    "\u0000x\u0001\u001b[31m\u007f\ufeff\ufffe",
    "\u0130\u0131\ufb03 \u1e9e \u2028\u2029 \u3000 \uff21",
    "NULL",
    "None",
    "NaN",
    "-1",
    "1e309",
    "0x7fffffff",
    "9" * 400,
)
LONG: tuple[Callable[[], str], ...] = (
    lambda: "word " * 10_000,
    lambda: "a" * 100_000,
    lambda: "a." * 20_000,
    lambda: "\U0001f600" * 10_000,
    lambda: "\u05d0 " * 10_000,
    lambda: "e" + "\u0301" * 10_000,
    lambda: "A good film. " * 90,
    lambda: "\n" * 10_000,
    lambda: "-" * 10_000,
    lambda: "<b>" * 10_000,
)

# Protobuf refuses lone surrogates itself; they come in addresses, files and JSON.
letters = st.text(max_size=40)
texts = st.one_of(
    st.sampled_from(MARKUP + FORMULAS + QUERIES + PATHS + SIGNS),
    st.sampled_from(LONG).map(lambda make: make()),
    letters,
    st.builds("{} {}".format, st.sampled_from(MARKUP + SIGNS), letters),
)
numbers = st.one_of(
    st.sampled_from([float("nan"), float("inf"), -float("inf"), 1e308, -1e308, 5e-324, -0.0]),
    st.sampled_from([-1.0, 0.5, 2.0**31, 2.0**53 + 1, 2.0**63, 1e18]),
    st.floats(),
)
json_values = st.recursive(
    st.one_of(
        st.none(),
        st.booleans(),
        st.sampled_from([-1, 2**31, 2**63, 10**400, 1e308]),
        st.integers(-3, 40),
        texts,
    ),
    lambda inner: st.one_of(
        st.lists(inner, max_size=6), st.dictionaries(letters, inner, max_size=4)
    ),
    max_leaves=12,
)
raw_json = st.sampled_from(
    [
        "",
        "{",
        "NaN",
        '{"a": NaN, "b": Infinity}',
        '"\\ud800"',
        '{"\\ud800": "\\udfff"}',
        "9" * 5_000,
        '{"a": 1, "a": 2}',
        "\ufeff{}",
        "[" * 3_000 + "]" * 3_000,
        '{"a":' * 3_000 + "1" + "}" * 3_000,
        "[" * 100_000,
    ]
)
addresses = st.one_of(
    st.sampled_from(
        [
            "%",
            "%zz",
            "%00",
            "%ed%a0%80",
            "%ff%fe",
            "a=b&a=c",
            "&&&===",
            ";",
            "#x",
            "a[]=1",
            "+" * 50,
        ]
    ),
    st.builds(lambda size: "&".join(f"k{n}=v" for n in range(size)), st.sampled_from([50, 2_000])),
)


OUTSIDE = "{outside}"  # stands for a folder of the test's own, where nobody may write
STEMS = (
    *("../x", "../../x", "../../../../x", "..\\..\\x", f"{OUTSIDE}/x", "./../x", "%2e%2e%2fx"),
    *(f"{OTHERS}.results", f"{OTHERS.upper()}.results", f"./{OTHERS}.results", f"{OTHERS}.data"),
    *("", ".", "..", "...", "~/x", "$HOME/x", "`id`", "|id", "-rf", "x;y", "x y", "x.results"),
    *("CON", "nul", "COM1", "a" * 300, "\u00fc" * 200, "x\u202evsc", "x\ny", 'x"; filename="y'),
    *("x\u0000", "x\u0000.png", "<script>alert(1)</script>", "=1+1", "rows", "mine", "Mine"),
)


def names(ending: str) -> st.SearchStrategy[str]:
    """Names of files: outwards, onto files of others, and such that are none."""
    endings = [*4 * [ending], ending.upper(), "png", "py", ""]
    hostile = st.builds("{}.{}".format, st.sampled_from(STEMS), st.sampled_from(endings))
    return st.one_of(st.just(f"mine.{ending}"), hostile)


# Files as they should be, to be damaged

LABELS = ("negative", "positive")
TABLE = "text,label,method,source\n" + "".join(
    f"A film {n} that is good,{LABELS[n % 2]},ls,s{n}\n" for n in range(6)
)
ROWS = "".join(
    json.dumps({"text": f"A film {n}.", "label": LABELS[n % 2], "method": "ls"}) + "\n"
    for n in range(6)
)
TEXTATTACK = (
    "original_text,perturbed_text,original_output,perturbed_output,ground_truth_output,"
    "num_queries,result_type\nA [[good]] film,A [[fine]] film,1,0,1,12,Successful\n"
)


@cache
def good_files() -> dict[str, list[bytes]]:
    """Files that the pages take, by the endings of their names."""
    recorded = (assets.FOLDER / "recorded" / "1.json").read_bytes()
    with TemporaryDirectory() as folder:
        packed, table = Path(folder) / "1.npz", Path(folder) / "1.parquet"
        trace.save(trace.loads(recorded, "1.json"), packed)
        texts = [f"A film {n}." for n in range(6)]
        pq.write_table(pa.table({"text": texts, "label": [*LABELS * 3]}), table)
        database = Database(f"sqlite:///{folder}/studies.sqlite")
        items = tuple(Item(f"text {n}", LABELS[n % 2], f"s{n}", "ls") for n in range(4))
        made = create(database, StudyPlan("Imported", LABELS, items, design=Design(1, 1)))
        study = exports.study_json(database, made).encode()
        database.close()
        results = (assets.FOLDER / "experiments" / "sentiment.results.jsonl").read_bytes()
        return {
            "json": [recorded, study],
            "npz": [packed.read_bytes()],
            "csv": [TABLE.encode(), TEXTATTACK.encode()],
            "tsv": [TABLE.replace(",", "\t").encode()],
            "jsonl": [ROWS.encode(), results[:60_000]],
            "ndjson": [ROWS.encode()],
            "parquet": [table.read_bytes()],
        }


# Files that are small and become large, or look as if

MUCH = 18_000_000  # bytes: below the limit of an upload


def npy(shape: str, dtype: str = "<f8", content: bytes = b"") -> bytes:
    """An array as NumPy writes it; what it says of itself need not be true."""
    about = f"{{'descr': '{dtype}', 'fortran_order': False, 'shape': {shape}, }}"
    about += " " * (63 - (10 + len(about)) % 64) + "\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(about)) + about.encode() + content


def archive(*members: tuple[str, bytes]) -> bytes:
    """An npz file of such arrays."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, content in members:
            packed.writestr(name, content)
    return file.getvalue()


def zeros(gigabytes: int) -> bytes:
    """An npz file of a few megabytes that unpacks to so many gigabytes of zeros."""
    size = gigabytes << 30
    head, piece = npy(f"({size >> 3},)"), bytes(1 << 24)
    squeeze = zlib.compressobj(9, zlib.DEFLATED, -15)
    begin = squeeze.compress(head) + squeeze.flush(zlib.Z_FULL_FLUSH)
    block = squeeze.compress(piece) + squeeze.flush(zlib.Z_FULL_FLUSH)  # stands alone, so repeats
    body = begin + block * (size // len(piece)) + squeeze.flush(zlib.Z_FINISH)
    check = zlib.crc32(head)
    for _ in range(size // len(piece)):
        check = zlib.crc32(piece, check)
    name, whole = b"scores.npy", len(head) + size
    sizes = struct.pack("<III", check, len(body), whole)
    local = struct.pack("<IHHHHH", 0x04034B50, 20, 0, 8, 0, 0) + sizes
    local += struct.pack("<HH", len(name), 0) + name
    central = struct.pack("<IHHHHHH", 0x02014B50, 20, 20, 0, 8, 0, 0) + sizes
    central += struct.pack("<HHHHHII", len(name), 0, 0, 0, 0, 0, 0) + name
    place = (len(central), len(local) + len(body))
    return local + body + central + struct.pack("<IHHHHIIH", 0x06054B50, 0, 0, 1, 1, *place, 0)


def many_rows(rows: int) -> bytes:
    """A parquet file of a few kilobytes with so many equal rows."""
    group = 1_000_000
    texts = pa.DictionaryArray.from_arrays(pa.array(np.zeros(group, np.int32)), ["A film."])
    labels = pa.DictionaryArray.from_arrays(pa.array(np.zeros(group, np.int32)), ["positive"])
    table, file = pa.table({"text": texts, "label": labels}), io.BytesIO()
    with pq.ParquetWriter(file, table.schema) as writer:
        for _ in range(rows // group):
            writer.write_table(table)
    return file.getvalue()


def wide(columns: int) -> bytes:
    """A parquet file with so many columns."""
    file = io.BytesIO()
    pq.write_table(pa.table({f"c{n}": [1] for n in range(columns)}), file)
    return file.getvalue()


def counted(count: int) -> bytes:
    """A trace that says that so many sentences were tried in a step."""
    known = json.loads(good_files()["json"][0])

    def enlarge(value: Any) -> Any:
        if isinstance(value, dict):
            return {k: [count] if k == "tried_count" else enlarge(v) for k, v in value.items()}
        return value

    return json.dumps(enlarge(known)).encode()


BOMBS: dict[str, list[Callable[[], bytes]]] = {
    "json": [
        lambda: b"[" * MUCH,
        lambda: b"[" + b"[]," * (MUCH // 3) + b"[]]",
        lambda: (
            b'{"format": "swapscope-trace-1", "space": ' + b"[" * 100_000 + b"]" * 100_000 + b"}"
        ),
        lambda: b"9" * 1_000_000,
        lambda: b'{"format": "swapscope-trace-1", "about": {}, "space": NaN, "steps": 1e999}',
        lambda: b'{"format": "swapscope-trace-1", "space": {"choices": [["\\ud800"]]}}',
        lambda: counted(1 << 62),
        lambda: counted(-1),
        lambda: b"\xff\xfe" + '{"a": 1}'.encode("utf-16-le"),
    ],
    "npz": [
        lambda: zeros(3),
        lambda: archive(("scores.npy", npy("(10000000000000,)"))),
        lambda: archive(("scores.npy", npy("(-1,)"))),
        lambda: archive(("scores.npy", npy("(4,)", "|O", b"cos\nsystem\n(S'id'\ntR."))),
        lambda: archive(("header.npy", npy("(1000000000,)", "|u1"))),
        lambda: archive(*((f"{n}.npy", npy("(0,)")) for n in range(20_000))),
        lambda: archive(("../../x.npy", npy("(0,)")), ("/etc/x.npy", npy("(0,)"))),
        lambda: b"PK\x05\x06" + bytes(18),
        lambda: b"\x93NUMPY\x01\x00\xff\xff" + b"{" * 65_535,
        lambda: b"\x93NUMPY\x02\x00\xff\xff\xff\xff",
        lambda: narrow_trace(2, 195, 480_000),
    ],
    "csv": [
        lambda: b"," * MUCH,
        lambda: b'text,label\n"' + b"a" * MUCH,
        lambda: b"text,label\n" + b"a,b\n" * (MUCH // 4),
        lambda: b"text,label\n" + b"a" * MUCH + b",b\n",
        lambda: b"text,label\n" + b"\x00" * 10_000 + b",b\n",
        lambda: b"text,label\n\xff\xfe\xed\xa0\x80,b\n",
        lambda: TABLE.encode("utf-16"),
        lambda: b"text,text,label,label\na,b,c,d\n",
        lambda: b"=cmd|' /C calc'!A0,@SUM(1)\n=1,+1\n",
        lambda: b"\r" * 1_000_000,
        lambda: b"",
    ],
    "jsonl": [
        lambda: b"{}\n" * (MUCH // 3),
        lambda: b'{"text":' * 100_000,
        lambda: b"[" * MUCH,
        lambda: b'{"text": 1e999, "label": NaN}\n',
        lambda: b'{"text": "\\ud800", "label": "\\udfff"}\n' * 4,
        lambda: b"{" + b",".join(b'"%d":0' % n for n in range(1_000_000)) + b"}\n",
        lambda: b'{"kind": "plan"}\n' * 1_000,
    ],
    "parquet": [
        lambda: many_rows(300_000_000),
        lambda: wide(20_000),
        lambda: b"PAR1" + b"\xff" * 1_000 + b"\xe8\x03\x00\x00PAR1",
        lambda: b"PAR1\x00\x00\x00\x00PAR1",
    ],
}
BOMBS["tsv"], BOMBS["ndjson"] = BOMBS["csv"], BOMBS["jsonl"]


@cache
def bomb(ending: str, number: int) -> bytes:
    """One of them."""
    return BOMBS[ending][number]()


def damaged(content: bytes) -> st.SearchStrategy[bytes]:
    """A file of which parts are changed, cut off, doubled or put in."""
    places = st.floats(0, 1).map(lambda share: int(share * len(content)))
    return st.one_of(
        st.builds(lambda at, new: content[:at] + new + content[at + len(new) :], places, PIECES),
        st.builds(lambda at, new: content[:at] + new + content[at:], places, PIECES),
        places.map(lambda at: content[:at]),
        st.builds(lambda a, b: content[: max(a, b)] + content[min(a, b) :], places, places),
    )


PIECES = st.one_of(
    st.binary(min_size=1, max_size=8),
    st.sampled_from(
        [b"\x00" * 64, b"\xff" * 8, b'"', b",", b"\n", b"[", b"}", b"NaN", b"-1", b"1e9"]
    ),
    st.integers(-(2**63), 2**63 - 1).map(lambda number: struct.pack("<q", number)),
    st.integers(0, 10**30).map(lambda number: str(number).encode()),
)


def altered(value: Any) -> st.SearchStrategy[Any]:
    """JSON in which one value, at any depth, is another one or is gone."""

    def places(inside: Any) -> list[tuple[Any, ...]]:
        parts = inside.items() if isinstance(inside, dict) else enumerate(inside[:20])
        deeper = ((key, *below) for key, part in parts for below in [(), *within(part)])
        return list(deeper)

    def within(part: Any) -> list[tuple[Any, ...]]:
        return places(part) if isinstance(part, dict | list) else []

    def change(place: tuple[Any, ...], new: Any) -> Any:
        changed = json.loads(json.dumps(value))
        inside = changed
        for key in place[:-1]:
            inside = inside[key]
        if new is GONE:
            del inside[place[-1]]
        else:
            inside[place[-1]] = new
        return changed

    return st.builds(change, st.sampled_from(places(value)), json_values | st.just(GONE))


GONE = object()


def files(ending: str) -> st.SearchStrategy[bytes]:
    """Files of a kind: good ones, damaged ones, such of another kind, and no files at all."""
    good = good_files()
    small = [number for number in range(len(BOMBS[ending])) if len(bomb(ending, number)) < 500_000]
    kinds = [
        st.sampled_from(good[ending]).flatmap(damaged),
        st.sampled_from(good[ending]),
        st.sampled_from(small).map(lambda number: bomb(ending, number)),
        st.sampled_from(sorted(good)).map(lambda other: good[other][0]),
        st.binary(max_size=200),
        texts.map(lambda text: text.encode("utf-8", "replace")),
    ]
    if ending == "json":
        documents = [altered(json.loads(content)) for content in good["json"]]
        kinds += [document.map(lambda made: json.dumps(made).encode()) for document in documents]
    if ending == "jsonl":  # the results of a run, with checksums that are right
        records = [record_of(line + b"\n") for line in good["jsonl"][1].split(b"\n")[:4]]
        kinds.append(
            st.tuples(*map(altered, filter(None, records))).map(
                lambda made: b"".join(map(line_of, made))
            )
        )
    return st.one_of(kinds)
