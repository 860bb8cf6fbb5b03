"""Which file is which, and what is kept of what was chosen."""

import random

DROP = """(files) => {
    const dropped = new DataTransfer();
    for (const [name, text] of files) dropped.items.add(new File([text], name));
    document.body.dispatchEvent(new DragEvent("drop", { dataTransfer: dropped, bubbles: true, cancelable: true }));
}"""


def table(labels, seed):
    """Scores with these labels in a column `kind`; without any there is none."""
    draw = random.Random(seed)
    rows = [f"{draw.gauss(i % 2, 1):.4f}" + (f",{labels[i % 2]}" if labels else "") for i in range(200)]
    return "\n".join(["p,kind" if labels else "p", *rows, ""])


def choosing(visitor, data, folder, fault):
    folder.mkdir(parents=True, exist_ok=True)
    train, weeks = data / "spam/train.csv", data / "spam/weeks.csv"
    visitor.give(train, train)
    refusal = visitor.refusal()
    if visitor.answer() or not (refusal or "").startswith("train.csv is in both places"):
        fault(f"the same file in both places: {refusal}")
    visitor.give(train, weeks)
    if not visitor.answer():
        fault(f"no answer of two files: {visitor.refusal()}")

    for name, labels in [("kinds.csv", ["low", "high"]), ("one.csv", None), ("two.csv", None)]:
        (folder / name).write_text(table(labels, name))
    visitor.give(folder / "kinds.csv", folder / "one.csv")
    visitor.choose(label="kind", positive="high")
    visitor.count()
    visitor.page.set_input_files("#test", folder / "two.csv")
    visitor.settle()
    kept = [visitor.page.locator(f"#{name}").input_value() for name in ["score", "label", "positive"]]
    if kept != ["p", "kind", "high"] or not visitor.answer():
        fault(f"of what was chosen there is {kept}")

    # Two tables at once: one has labels of its own; none has; both have.
    some, none = table(["no", "yes"], 1), table(None, 2)
    for files, roles in [([none, some], ("b.csv", "a.csv")), ([none, none], None), ([some, some], ("a.csv", "b.csv"))]:
        visitor.page.reload()
        visitor.__init__(visitor.page)
        visitor.page.evaluate(DROP, list(zip(["a.csv", "b.csv"], files)))
        visitor.settle()
        given = visitor.page.evaluate(
            "() => ['train', 'test'].map((id) => document.getElementById(id).files[0]?.name ?? null)"
        )
        if given != list(roles or (None, None)) or (roles is None) != (
            "cannot tell which" in (visitor.refusal() or "")
        ):
            fault(f"of two tables dropped {given} came, and it said {visitor.refusal()}")
    return "3 pairs dropped, one file given twice, choices kept"
