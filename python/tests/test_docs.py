"""Runs the Python code of the READMEs and the book, and compares its output with the pages."""

import contextlib
import doctest
import io
import re
import warnings
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
BLOCK = re.compile(r"^( *)(```+)(\S*)[^\n]*\n(.*?)^\1\2 *$", re.MULTILINE | re.DOTALL)


def read(path):
    return path.read_text(encoding="utf-8")


def pages():
    """Returns both READMEs and every page of the book that is not generated."""
    book = (path for path in (ROOT / "docs").rglob("*.md") if "reference/command" not in path.as_posix())
    return [ROOT / "README.md", ROOT / "python/README.md", *sorted(book)]


def blocks(text):
    """Yields (first line, language, text, text up to the next block) of every code block."""
    result = list(BLOCK.finditer(text))
    ends = [block.start() for block in result[1:]] + [len(text)]
    for block, end in zip(result, ends):
        indent, _, kind, body = block.groups()
        body = re.sub(rf"^{indent}", "", body, flags=re.MULTILINE)
        yield text.count("\n", 0, block.start()) + 1, kind, body, text[block.end() : end]


def scripts(text):
    """Yields (first line, script, expected output) of every script; without output `None`."""
    all_blocks = list(blocks(text))
    following = [*all_blocks[1:], (0, "", "", "")]
    for (line, kind, body, between), (_, next_kind, next_body, _) in zip(all_blocks, following):
        if kind == "python":
            yield line, body, next_body if next_kind == "text" and not between.strip() else None


def session(text):
    return [(line, body) for line, kind, body, _ in blocks(text) if kind == "pycon"]


def page_name(path):
    return path.relative_to(ROOT).as_posix()


@pytest.fixture(autouse=True)
def project(monkeypatch, tmp_path):
    """Changes to a writable folder with the project's data."""
    (tmp_path / "data").symlink_to(ROOT / "data")
    monkeypatch.chdir(tmp_path)


@pytest.fixture(autouse=True)
def reader():
    """Shows warnings as a reader sees them, and makes deprecation warnings errors."""
    with warnings.catch_warnings():
        warnings.simplefilter("default")
        for gone in (DeprecationWarning, FutureWarning, PendingDeprecationWarning):
            warnings.filterwarnings("error", category=gone, module="truecount|__main__")
        yield


def run_session(name, blocks):
    """Runs the blocks of a page in order, and returns the number of failures."""
    parser, runner = (
        doctest.DocTestParser(),
        doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS),
    )
    names: dict[str, object] = {"__name__": "__main__"}
    for line, block in blocks:
        # Doctest ends the expected output at an empty line.
        block = re.sub(r"^\n", "<BLANKLINE>\n", block, flags=re.MULTILINE)
        test = parser.get_doctest(block, names, f"{name}:{line}", name, line)
        assert test.examples, f"{name}:{line} has nothing to run"
        runner.run(test, clear_globs=False)
        names = test.globs
    return runner.summarize(verbose=False).failed


def run_script(script):
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(script, "<page>", "exec"), {"__name__": "__main__"})
    return printed.getvalue()


@pytest.mark.parametrize("page", [page for page in pages() if session(read(page))], ids=page_name)
def test_sessions_print_what_the_page_shows(page):
    assert run_session(page_name(page), session(read(page))) == 0


@pytest.mark.parametrize(
    ("page", "line", "script", "shown"),
    [
        pytest.param(page, *script, id=f"{page_name(page)}:{script[0]}")
        for page in pages()
        for script in scripts(read(page))
    ],
)
def test_scripts_print_what_the_page_shows(page, line, script, shown):
    """The expected output is the text block directly after the script."""
    printed = run_script(script)
    if shown is not None:
        assert printed == shown


def test_every_block_is_found():
    """A simple count of the fences agrees with the number of blocks."""
    fences = [
        line.split("```")[1] for page in pages() for line in read(page).splitlines() if line.strip().startswith("```py")
    ]
    result = [(len(list(scripts(read(page)))), len(session(read(page)))) for page in pages()]
    assert len(fences) == sum(map(sum, result))
    assert set(fences) <= {"python", "pycon"}
    assert sum(scripts > 0 for scripts, _ in result) >= 2
    assert sum(sessions for _, sessions in result) >= 10


def test_wrong_output_is_detected(capsys):
    text = "```python\nprint(1)\n```\n\n```text\n2\n```\n\n- in a list\n\n  ```pycon\n  >>> 1 + 1\n  3\n  ```\n\n```python\nprint(3)\n```\nand\n```text\n4\n```\n"
    assert list(scripts(text)) == [(1, "print(1)\n", "2\n"), (16, "print(3)\n", None)]
    assert run_script("print(1)\n") == "1\n"
    assert session(text) == [(11, ">>> 1 + 1\n3\n")]
    assert run_session("page", session(text)) == 1
    assert "Expected:\n    3\nGot:\n    2" in capsys.readouterr().out
