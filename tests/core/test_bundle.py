"""Bundles: every module once, after what it imports; whatever could be misread is refused."""

from pathlib import Path

import pytest

from core import InputError, ResourceMissingError, bundle


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(bundle, "FOLDER", tmp_path)
    return tmp_path


def files(folder: Path, **texts: str) -> None:
    """Write files; the last underscore of a name stands for its dot."""
    for name, text in texts.items():
        stem, _, ending = name.rpartition("_")
        (folder / f"{stem}.{ending}").write_text(text, encoding="utf-8")


def refused(folder: Path, text: str, match: str) -> None:
    files(folder, entry_js=text)
    with pytest.raises(InputError, match=match):
        bundle.script("entry.js")


def test_a_module_comes_once_and_after_all_that_it_imports(folder: Path) -> None:
    files(
        folder,
        entry_js='import { b } from "./b.js";\nimport { c } from "./c.js";\nconst all = [b, c];\n',
        b_js='import { c } from "./c.js";\n\nexport const b = c + 1;\n',
        c_js="export const c = 1;\n",
    )
    assert bundle.script("entry.js") == "const c = 1;\nconst b = c + 1;\nconst all = [b, c];\n\n"


def test_every_form_of_export_loses_only_its_word(folder: Path) -> None:
    text = "export function f() {}\nexport async function g() {}\nexport function* h() {}\n"
    text += "export class K {}\nexport let open = true;\nexport const text = `${1}`;\n"
    files(folder, entry_js=text)
    assert bundle.script("entry.js") == text.replace("export ", "") + "\n"


def test_imports_may_take_several_lines_and_names(folder: Path) -> None:
    imported = 'import {\n  first,\n  second,\n} from "./other-file.js";\n'
    files(folder, entry_js=f"{imported}const x = first(second);\n")
    (folder / "other-file.js").write_text("export function first() {}\nexport const second = 2;\n")
    assert bundle.script("entry.js").endswith("const second = 2;\nconst x = first(second);\n\n")


def test_a_line_can_be_put_at_the_end(folder: Path) -> None:
    files(folder, entry_js="export function mount() {}\n")
    whole = bundle.script("entry.js", last="export default mount;")
    assert whole == "function mount() {}\nexport default mount;\n"


def test_comments_and_indentation_stay_at_home(folder: Path) -> None:
    files(
        folder,
        entry_js='// What it is.\nfunction f() {\n  // why\n  return "// text"; // kept\n}\n',
        look_css="/* Why,\n   and how. */\na {\n  color: red; /* loud */\n}\n",
    )
    assert bundle.script("entry.js") == 'function f() {\nreturn "// text"; // kept\n}\n\n'
    assert bundle.style("look.css") == "\na {\ncolor: red;\n}\n"


@pytest.mark.parametrize(
    "line",
    [
        'import other from "./other.js";',
        'import * as other from "./other.js";',
        'import { other as another } from "./other.js";',
        'import other, { more } from "./other.js";',
        'import "./other.js";',
        'import { other } from "other";',
        'import { other } from "../other.js";',
        'import { other } from "./folder/other.js";',
        'import { other } from "https://example.org/other.js";',
        'export * from "./other.js";',
        'export { other } from "./other.js";',
        "export { other };",
        "export default function () {}",
        "export default 1;",
        "const { a, b } = window;",
        "var old = 1;",
        "start();",
        "window.x = 1;",
        "let a, b;",
    ],
)
def test_other_forms_are_refused(folder: Path, line: str) -> None:
    files(folder, other_js="export const other = 1;\nexport const more = 2;\n")
    refused(folder, f"const fine = 1;\n{line}\n", "entry.js has")


@pytest.mark.parametrize(
    ("line", "match"),
    [
        ("  return `export ${1}`;", "top level"),
        ('  const more = await import("./other.js");', "top level"),
        ("  const here = import.meta.url;", "top level"),
        ("  const text = `it begins", "must end on its line"),
        ("  /* a comment", "must end on its line"),
    ],
)
def test_what_could_be_misread_is_refused(folder: Path, line: str, match: str) -> None:
    refused(folder, f"function f() {{\n{line}\n}}\n", match)


@pytest.mark.parametrize("end", ["</script>", "</SCRIPT >", "<!-- ", "</style>"])
def test_a_bundle_can_stand_inside_a_page(folder: Path, end: str) -> None:
    refused(folder, f'const text = "{end}";\n', "would end it inside a page")
    files(folder, look_css=f'a {{ content: "{end}"; }}\n')
    with pytest.raises(InputError, match="would end it inside a page"):
        bundle.style("look.css")


def test_two_modules_cannot_declare_one_name(folder: Path) -> None:
    files(folder, other_js="export const other = 1;\nconst PAUSE = 1;\n")
    text = 'import { other } from "./other.js";\nconst PAUSE = other;\n'
    refused(folder, text, r"other.js and entry.js both declare PAUSE")
    refused(folder, "const a = 1;\nfunction a() {}\n", "both declare a")


def test_a_name_must_be_exported_where_it_is_imported_from(folder: Path) -> None:
    files(folder, other_js="const hidden = 1;\n")
    refused(folder, 'import { hidden } from "./other.js";\n', "not exported by other.js")


def test_modules_cannot_import_each_other(folder: Path) -> None:
    files(folder, other_js='import { a } from "./entry.js";\nexport const b = 1;\n')
    text = 'import { b } from "./other.js";\nexport const a = 1;\n'
    refused(folder, text, "entry.js imports other.js imports entry.js")


def test_a_missing_file_is_named_with_the_fix(folder: Path) -> None:
    files(folder, entry_js='import { b } from "./b.js";\n')
    with pytest.raises(ResourceMissingError, match=r"git checkout assets/scripts/b.js"):
        bundle.script("entry.js")


def test_a_sheet_comes_once_and_after_all_that_it_imports(folder: Path) -> None:
    files(
        folder,
        entry_css='@import "./b.css";\n@import "./c.css";\n\ni {\n  color: red;\n}\n',
        b_css='@import "./c.css";\n\nb {\n  color: red;\n}\n',
        c_css="u {\n  color: red;\n}\n",
    )
    order = [line[0] for line in bundle.style("entry.css").splitlines() if line.endswith("{")]
    assert order == ["u", "b", "i"]


@pytest.mark.parametrize("line", ['@import url("./b.css");', '@import "b.css";', "a{}@import 'x';"])
def test_other_imports_of_sheets_are_refused(folder: Path, line: str) -> None:
    files(folder, entry_css=f"{line}\n", b_css="")
    with pytest.raises(InputError, match="must import in the form"):
        bundle.style("entry.css")


def test_a_rule_can_be_taken_into_an_elements_own_style(folder: Path) -> None:
    files(folder, look_css="a mark {\n  color: red;\n  margin: 0;\n}\na {\n  color: blue;\n}\n")
    assert bundle.declarations("look.css", "a mark") == "color: red; margin: 0;"
    with pytest.raises(InputError, match="one rule for mark, not 0"):
        bundle.declarations("look.css", "mark")
