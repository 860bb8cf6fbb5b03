"""Checks the file inputs: the files' roles, and choices that stay when a file is replaced."""

import random

DROP = """(files) => {
    const dropped = new DataTransfer();
    for (const [name, text] of files) dropped.items.add(new File([text], name));
    document.body.dispatchEvent(new DragEvent("drop", { dataTransfer: dropped, bubbles: true, cancelable: true }));
}"""


def table(labels, seed):
    """CSV with scores in a column `p`, and labels in a column `kind` unless `labels` is `None`."""
    rng = random.Random(seed)
    rows = [f"{rng.gauss(i % 2, 1):.4f}" + (f",{labels[i % 2]}" if labels else "") for i in range(200)]
    return "\n".join(["p,kind" if labels else "p", *rows, ""])


def check_swapped(visitor, name, report_fault):
    """Checks that the page refuses this unlabelled file and labelled kinds.csv in each other's place."""
    expected = f"{name} seems to have no labels, but kinds.csv has: choose them the other way round"
    if visitor.error() != expected or visitor.answer():
        report_fault(f"of swapped files the page says {visitor.error()}")


def check_choices(visitor, folder, report_fault):
    """Checks tables whose rows, columns or labels need a choice."""
    labels = ["cat", "dog", "cow"]
    rng = random.Random(3)
    rows = [f"{rng.gauss(2 * (i % 3 == 0), 1):.4f};{labels[i % 3]}".replace(".", ",") for i in range(300)]
    lines = ["Größe der Tiere", "", "Länge;kind", *rows, *[";dog"] * 6]
    (folder / "animals.csv").write_text("\n".join([*lines, ""]), encoding="cp1252")
    (folder / "new.csv").write_text(
        "p;Ort\n" + "".join(f"{row.split(';')[0]};Köln\n" for row in rows), encoding="utf-16"
    )
    visitor.select_files(folder / "animals.csv", folder / "new.csv")
    columns = visitor.page.locator("#label option").evaluate_all("(all) => all.map(({ value }) => value)")
    fields = [visitor.page.locator(f"#{name}").input_value() for name in ["score", "train_score"]]
    if columns != ["Länge", "kind"] or fields != ["p", "Länge"]:
        report_fault(f"below a title the columns are {columns}, and the scores in {fields}")
    visitor.fill_form(label="kind")
    visitor.page.click("#values button[value=cat]")
    visitor.wait_until_idle()
    box = visitor.page.locator("label:has(#missing)")
    if (
        "6 of 306 rows have no value" not in (visitor.error() or "")
        or box.inner_text().strip() != "Leave these 6 rows out"
    ):
        report_fault(f"of incomplete rows it says {visitor.error()}, and offers {box.inner_text()!r}")
    box.click()
    visitor.wait_until_idle()
    if not visitor.answer() or "left out: animals.csv" not in visitor.page.locator("#answer").inner_text():
        report_fault(f"without the incomplete rows it says {visitor.error()}")
    expected = "--score p --train-score Länge --label kind --positive cat --rest --missing drop"
    if expected not in " ".join(visitor.command()):
        report_fault(f"the command for these choices is {visitor.command()}")
    # Without a guess, the choice is the user's.
    (folder / "both.csv").write_text("a,b\n0.5,0.25\n0.75,1.5\n")
    visitor.page.set_input_files("#test", folder / "both.csv")
    visitor.wait_until_idle()
    if visitor.page.locator("#score").input_value() or not visitor.page.locator("#score:invalid").count():
        report_fault("one of two columns of scores is chosen")


def check(visitor, data, folder, report_fault):
    folder.mkdir(parents=True, exist_ok=True)
    train, weeks = data / "spam/train.csv", data / "spam/weeks.csv"
    visitor.select_files(train, train)
    error = visitor.error()
    if visitor.answer() or not (error or "").startswith("train.csv is in both places"):
        report_fault(f"the same file in both places: {error}")
    visitor.show_example()
    visitor.page.set_input_files("#test", [])
    shown = visitor.page.locator(".chosen, .drop pre:visible").all_text_contents()
    if len(shown) != 4 or shown[::2] != 2 * ["No file chosen"]:
        report_fault(f"after the example the boxes show {shown}")
    visitor.select_files(train, weeks)
    if not visitor.answer():
        report_fault(f"no answer of two files: {visitor.error()}")
    shown = visitor.page.locator(".chosen, .drop pre:visible").all_text_contents()
    if shown != ["train.csv", "weeks.csv"]:
        report_fault(f"the boxes of chosen files show {shown}")

    for name, labels in [("kinds.csv", ["low", "high"]), ("one.csv", None), ("two.csv", None)]:
        (folder / name).write_text(table(labels, name))
    visitor.select_files(folder / "kinds.csv", folder / "one.csv")
    visitor.fill_form(label="kind")
    buttons = visitor.page.locator("#values button")
    if buttons.all_text_contents() != ["high (100 rows)", "low (100 rows)"]:
        report_fault(f"the labels to choose from are {buttons.all_text_contents()}")
    # The first choice of a label completes the form.
    buttons.first.click()
    visitor.wait_until_idle()
    if not visitor.answer():
        report_fault(f"no answer after the choice of a label: {visitor.error()}")
    visitor.page.set_input_files("#test", folder / "two.csv")
    visitor.wait_until_idle()
    fields = [visitor.page.locator(f"#{name}").input_value() for name in ["score", "label", "positive"]]
    if fields != ["p", "kind", "high"] or not visitor.answer():
        report_fault(f"of what was chosen there is {fields}")

    visitor.select_files(folder / "one.csv", folder / "kinds.csv")
    check_swapped(visitor, "one.csv", report_fault)
    # Groups with three names are no labels.
    rows = [f"{'Köln Bonn Düren'.split()[i % 3]};{i % 7},{i % 10}" for i in range(60)]
    (folder / "orte.csv").write_text("\n".join(["Ort;p", *rows, ""]))
    visitor.select_files(folder / "orte.csv", folder / "kinds.csv")
    check_swapped(visitor, "orte.csv", report_fault)

    check_choices(visitor, folder, report_fault)

    # Drops two tables at once: one with labels, none with labels, both with labels.
    labelled, unlabelled = table(["no", "yes"], 1), table(None, 2)
    for files, expected_roles in [
        ([unlabelled, labelled], ("b.csv", "a.csv")),
        ([unlabelled, unlabelled], None),
        ([labelled, labelled], ("a.csv", "b.csv")),
    ]:
        visitor.page.reload()
        visitor.__init__(visitor.page)
        visitor.page.evaluate(DROP, list(zip(["a.csv", "b.csv"], files)))
        visitor.wait_until_idle()
        roles = visitor.page.evaluate(
            "() => ['train', 'test'].map((id) => document.getElementById(id).files[0]?.name ?? null)"
        )
        is_ambiguous = "cannot tell which" in (visitor.error() or "")
        if roles != list(expected_roles or (None, None)) or (expected_roles is None) != is_ambiguous:
            report_fault(f"of two tables dropped {roles} came, and it said {visitor.error()}")
    return "3 pairs dropped, one file given twice, choices kept"
