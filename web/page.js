// The page: asks the module, which is the command, and shows what it answers. Nothing here knows of statistics.
const by = (id) => document.getElementById(id);
const [question, comparison, downloads, counts] = ["question", "comparison", "downloads", "counts"].map(by);
const answer = by("answer");

// How long it takes after the last byte is not known, which a moving bar says to those who bear movement.
function progress({ ask }, { read, total }) {
  if (ask === "columns") return;
  const bar = by("progress");
  bar.max = total;
  if (read < total || matchMedia("(prefers-reduced-motion: reduce)").matches) bar.value = read;
  else bar.removeAttribute("value");
}

function running() {
  const box = by("running");
  if (box.hidden === !engine.busy) return;
  // Who has just cancelled stands on a button that goes.
  if (box.contains(document.activeElement)) question.querySelector("button.first").focus({ preventScroll: true });
  box.hidden = !engine.busy;
}

let engine, prepared;
function ask(request, files) {
  by("progress").value = 0;
  return engine.ask(request, files);
}

// Does what a form is for. If that fails, the form says why, and `failed` takes away what is no longer so.
async function attempt(form, work, failed = () => {}) {
  const alert = form.querySelector("[role=alert]");
  alert.hidden = true;
  const from = document.activeElement;
  try {
    await work(() => document.activeElement === from || document.activeElement === document.body);
  } catch (error) {
    if (error instanceof Cancelled) return;
    failed();
    alert.textContent = error.message;
    alert.hidden = false;
    alert.focus();
  }
}

// Files: the choosers hold them, wherever they come from. Two of one name are told apart.
const chosen = (role) => [...by(role).files];
function named() {
  const names = new Map();
  for (const file of [...chosen("train"), ...chosen("test")]) {
    let name = file.name;
    for (let i = 2; names.has(name); i++) name = `${i}-${file.name}`;
    names.set(name, file);
  }
  return names;
}

const known = new WeakMap();
async function columns(file) {
  if (!known.has(file)) known.set(file, await ask({ ask: "columns", file: file.name }, [[file.name, file]]));
  return known.get(file);
}

function give(role, files) {
  const transfer = new DataTransfer();
  for (const file of files) transfer.items.add(file);
  by(role).files = transfer.files;
}

// Dropped on a chooser, a file is for that one; of several the one that has labels is the labelled one, unless there is one already.
async function drop(files, role) {
  leaveExample();
  if (!role || (files.length > 1 && !chosen("train").length)) {
    const guesses = [];
    for (const file of files) guesses.push((await columns(file)).labelled);
    const sure = guesses.findIndex((guess) => guess?.positive);
    const some = guesses.filter((guess) => guess?.label);
    const first = sure >= 0 || some.length !== 1 ? sure : guesses.indexOf(some[0]);
    if (first < 0 && files.length > 1) {
      throw new Error(`cannot tell which of ${files.map(({ name }) => name).join(" and ")} has the labels: choose each file in its own place`);
    }
    if (first >= 0) give("train", [files[first]]);
    const others = files.filter((_, i) => i !== first);
    if (others.length) give("test", others);
  } else {
    give(role, role === "train" ? files.slice(0, 1) : files);
  }
  await filesChanged();
}

// The same file in both places would count labelled rows as unlabelled ones.
const same = (one, other) => one.name === other.name && one.size === other.size && one.lastModified === other.lastModified;
function apart() {
  const [[train], test] = [chosen("train"), chosen("test")];
  const twice = train && test.find((file) => same(file, train));
  if (twice) throw new Error(`${twice.name} is in both places: choose a different file as the unlabelled table`);
}

// What was guessed is filled in once; after that it is the person's.
let filled = [];
const option = (value, text = value) => new Option(text, value);
const shown = ({ name, first }) => option(name, `${name} (${[...new Set(first)].join(", ")}, …)`);
const fill = (id, options, value) => {
  by(id).replaceChildren(...options);
  by(id).value = value ?? "";
};

async function fillIn() {
  const [[train], [test]] = [chosen("train"), chosen("test")];
  if (!train || !test) return;
  apart();
  const [labelled, unlabelled] = [await columns(train), await columns(test)];
  if (filled[0] === train && filled[1] === test) return;
  // What is chosen of the labelled table stays as long as that does.
  const [score, label, positive] = filled[0] === train ? ["score", "label", "positive"].map((id) => by(id).value) : [];
  filled = [train, test];
  const names = new Set(unlabelled.columns.map(({ name }) => name));
  const both = labelled.columns.filter(({ name, numbers }) => numbers && names.has(name));
  fill("score", (both.length ? both : labelled.columns).map(shown), score || labelled.labelled?.score);
  fill("label", labelled.columns.map(shown), label || labelled.labelled?.label);
  labelChanged();
  by("positive").value = positive || (labelled.labelled?.positive ?? "");
  const none = by("weight").options[0];
  const others = unlabelled.columns.filter(({ name }) => name !== by("score").value);
  fill("weight", [none, ...others.filter(({ numbers }) => numbers).map(shown)], "");
  by("by").querySelector(".boxes").replaceChildren(...others.map((column) => {
    const { name } = column;
    const box = Object.assign(document.createElement("input"), { type: "checkbox", name: "by", value: name });
    const label = document.createElement("label");
    label.append(box, shown(column).text);
    return label;
  }));
  by("by").hidden = !by("by").querySelector("input");
  by("columns").hidden = by("columns").disabled = false;
}

function labelChanged() {
  const column = known.get(filled[0]).columns.find(({ name }) => name === by("label").value);
  by("values").replaceChildren(...(column?.values ?? []).map((value) => option(value)));
  by("positive").value = "";
}

// Counting.
const groups = () => [...question.querySelectorAll("[name=by]:checked")].map((box) => box.value);
// What is left out is as usual.
const value = (id) => by(id).value || undefined;
function wanted() {
  const files = named();
  const [train, ...test] = files.keys();
  const level = by("level").value === "" ? undefined : by("level").valueAsNumber;
  const request = { train, test, by: groups(), method: value("method") && [value("method")], level };
  for (const id of ["score", "label", "positive", "weight", "transform", "target", "items", "positive_name"]) request[id] = value(id);
  return [request, [...files]];
}

// What was counted last: what is saved and compared is of that, whatever is changed above it.
let counted;
let saved;
const title = document.title;

async function count() {
  await prepared;
  engine.cancel();
  await attempt(question, async (undisturbed) => {
    await fillIn();
    if (!question.reportValidity()) return;
    const [request, files] = wanted();
    const found = await ask({ ask: "report", ...request }, files);
    counted = [request, files];
    show(found);
    if (!undisturbed()) return;
    answer.focus({ preventScroll: true });
    answer.scrollIntoView();
  }, clear);
}

function clear() {
  counted = undefined;
  answer.hidden = by("after").hidden = by("stale").hidden = true;
  answer.replaceChildren();
  document.title = title;
}

function show({ page, command, said }) {
  const report = new DOMParser().parseFromString(page, "text/html");
  const main = report.querySelector("main");
  // The page has a first heading already.
  const head = Object.assign(document.createElement("h2"), { id: "answer-head" });
  const first = main.querySelector("h1");
  head.append(...first.childNodes);
  first.replaceWith(head);
  answer.replaceChildren(...main.childNodes, ...lines(said));
  live(answer);
  document.title = report.title;
  by("said").textContent = report.title;

  URL.revokeObjectURL(saved);
  saved = URL.createObjectURL(new Blob([page], { type: "text/html" }));
  by("report").href = saved;
  downloads.querySelector(".result").replaceChildren(commandLine(command));
  const table = answer.querySelector("#groups");
  by("copy-table").hidden = comparison.hidden = !table;
  const names = table ? [...table.tBodies[0].rows].map((row) => [...row.querySelectorAll("th")].at(-1).textContent) : [];
  const values = document.createElement("optgroup");
  values.label = "One group";
  values.append(...[...new Set(names)].map((name) => option(name)));
  by("reference").querySelector("optgroup")?.remove();
  by("reference").append(values);
  by("reference").value = "";
  for (const form of [comparison, downloads]) form.querySelector("[role=alert]").hidden = true;
  comparison.querySelector(".result").replaceChildren();
  by("stale").hidden = true;
  answer.hidden = by("after").hidden = false;
}

const lines = (said) => said.map((line) => Object.assign(document.createElement("p"), { className: "note said", textContent: line }));

function commandLine(command) {
  const part = by("command").content.cloneNode(true);
  part.querySelector("code").textContent = command;
  return part;
}

function showBelow(form, { html, command, said }) {
  const content = new DOMParser().parseFromString(html, "text/html").body;
  const result = form.querySelector(".result");
  result.replaceChildren(...content.childNodes, ...lines(said), commandLine(command));
  live(result);
  by("said").textContent = "Done; the result is below.";
}

async function filesChanged() {
  by("stale").hidden = !counted;
  if (["train", "test"].every((role) => chosen(role).length)) return count();
  by("columns").hidden = by("columns").disabled = true;
  filled = [];
  await prepared;
  engine.cancel();
  // A file is looked at when it is given, so that one that cannot be read is told at once.
  await attempt(question, () => Promise.all(["train", "test"].flatMap(chosen).map(columns)));
}

// The example, which goes with all its words when somebody's own file comes.
const examples = new WeakSet();
async function showExample() {
  for (const element of document.querySelectorAll("script.example")) {
    const file = new File([await unpacked(element.textContent)], element.dataset.name);
    examples.add(file);
    give(element.dataset.role, [file]);
  }
  by("items").value = "messages";
  by("positive_name").value = "spam";
  await fillIn();
  for (const box of question.querySelectorAll("[name=by]")) box.checked = true;
  await count();
}

function leaveExample() {
  const left = ["train", "test"].filter((role) => chosen(role).some((file) => examples.has(file)));
  for (const role of left) by(role).value = "";
  if (left.length) by("items").value = by("positive_name").value = "";
}

// Copying.
async function copy(text, button) {
  try {
    await navigator.clipboard.writeText(text);
    by("said").textContent = "Copied.";
    button.dataset.name ??= button.textContent;
    button.textContent = "Copied";
    setTimeout(() => { button.textContent = button.dataset.name; }, 2000);
  } catch {
    const refused = by("refused").content.cloneNode(true);
    const area = refused.querySelector("textarea");
    area.value = text;
    document.querySelector(".refused")?.remove();
    button.parentElement.after(refused);
    area.select();
  }
}

const cell = ({ textContent }) => textContent.trim().replace(/\s+/g, " ");
const separated = (table) => [...table.rows].map((row) => [...row.cells].map(cell).join("\t")).join("\n");

// What is pressed, chosen and dropped.
question.addEventListener("submit", (event) => {
  event.preventDefault();
  count();
});
question.addEventListener("change", ({ target }) => {
  if (target.type === "file") {
    leaveExample();
    return filesChanged();
  }
  if (target.id === "label") labelChanged();
  by("stale").hidden = !counted;
});
by("example").addEventListener("click", () => attempt(question, showExample));
comparison.addEventListener("submit", (event) => {
  event.preventDefault();
  const of = counted;
  const [request, files] = of;
  attempt(comparison, async () => {
    const found = await ask({ ask: "differences", ...request, reference: value("reference") }, files);
    // Something else may have been counted meanwhile.
    if (of === counted) showBelow(comparison, found);
  }, () => comparison.querySelector(".result").replaceChildren());
});
downloads.addEventListener("submit", (event) => {
  event.preventDefault();
  const [request, files] = counted;
  attempt(downloads, async () => {
    const { text } = await ask({ ask: "estimates", ...request }, files);
    const href = URL.createObjectURL(new Blob([text], { type: "text/csv" }));
    Object.assign(document.createElement("a"), { href, download: "estimates.csv" }).click();
    // After the browser has taken it.
    setTimeout(() => URL.revokeObjectURL(href), 60_000);
  });
});
counts.addEventListener("submit", (event) => {
  event.preventDefault();
  const request = Object.fromEntries([...counts.querySelectorAll("input")].map(({ id, value }) => [id, value]));
  attempt(counts, async () => showBelow(counts, await ask({ ask: "counts", ...request })), () => counts.querySelector(".result").replaceChildren());
});
by("copy-table").addEventListener("click", ({ target }) => copy(separated(answer.querySelector("#groups")), target));
document.addEventListener("click", ({ target }) => {
  if (target.matches(".copy")) copy(target.parentElement.querySelector("code").textContent, target);
});
by("cancel").addEventListener("click", () => engine.cancel());
document.addEventListener("dragover", (event) => {
  event.preventDefault();
  question.classList.add("over");
});
document.addEventListener("dragleave", (event) => event.relatedTarget || question.classList.remove("over"));
document.addEventListener("drop", (event) => {
  event.preventDefault();
  question.classList.remove("over");
  const files = [...event.dataTransfer.files];
  if (files.length) attempt(question, () => drop(files, event.target.closest(".drop")?.dataset.role));
});

if (!able) {
  by("outdated").hidden = false;
} else {
  engine = new Engine(by("module").textContent, by("worker").textContent, progress, running);
  prepared = attempt(question, async () => {
    const { version, methods, transforms, targets, references } = await ask({ ask: "choices" });
    by("version").textContent = version;
    for (const [id, choices] of Object.entries({ method: methods, transform: transforms, target: targets, reference: references })) {
      by(id).append(...choices.map(({ name, what }) => option(name, `${name}: ${what}`)));
    }
  });
}
