"""The Python in the documentation gives what stands below it."""

import contextlib
import doctest
import io
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SESSION = re.compile(r"^```pycon\n(.*?)^```$", re.MULTILINE | re.DOTALL)
SCRIPT = re.compile(r"^```python\n(.*?)^```\n+```text\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@pytest.fixture(autouse=True)
def project(monkeypatch, tmp_path):
    """A folder with the project's data, to be written to."""
    (tmp_path / "data").symlink_to(ROOT / "data")
    monkeypatch.chdir(tmp_path)


def read(page, kind):
    found = kind.findall((ROOT / page).read_text(encoding="utf-8"))
    assert found, f"{page} has nothing to run"
    return found


@pytest.mark.parametrize("page", ["docs/python.md"])
def test_sessions(page):
    """The blocks of a page one after the other, as someone would type them in the project's folder."""
    parser, runner = doctest.DocTestParser(), doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS)
    names: dict[str, object] = {}
    for number, block in enumerate(read(page, SESSION)):
        # Doctest ends what is printed at an empty line.
        block = re.sub(r"^\n", "<BLANKLINE>\n", block, flags=re.MULTILINE)
        test = parser.get_doctest(block, names, f"{page}, block {number + 1}", page, 0)
        runner.run(test, clear_globs=False)
        names = test.globs
    assert runner.summarize(verbose=False).failed == 0


@pytest.mark.parametrize("page", ["README.md", "python/README.md"])
def test_scripts(page):
    """Each script prints the text that stands below it."""
    for script, expected in read(page, SCRIPT):
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(script, {})
        assert printed.getvalue() == expected
