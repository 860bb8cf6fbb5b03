// The page: sends requests to the module and shows its answers. All statistics are in the module.
const by = (id) => document.getElementById(id);
const [question, comparison, downloads, counts] = ["question", "comparison", "downloads", "counts"].map(by);
const answer = by("answer");

// Shows how much of the files has been read. The time after the last byte is unknown, so the bar is
// then indeterminate, unless the user prefers reduced motion.
function progress({ ask }, { read, total }) {
  if (ask === "columns") return;
  const bar = by("progress");
  bar.max = total;
  if (read < total || matchMedia("(prefers-reduced-motion: reduce)").matches) bar.value = read;
  else bar.removeAttribute("value");
}

function showRunning() {
  const box = by("running");
  if (box.hidden === !engine.busy) return;
  // After a cancellation the focus would be on a hidden button.
  if (box.contains(document.activeElement)) question.querySelector("button.first").focus({ preventScroll: true });
  box.hidden = !engine.busy;
}

let engine, prepared;
function ask(request, files) {
  by("progress").value = 0;
  return engine.ask(request, files);
}

// Messages name options and commands. On this page options are fields of the form, or do not exist; and what the other
// commands do is part of the report.
const inWordsOfTheForm = (message) => message
  .replace(/; see `truecount \w+`/g, "")
  .replace(/(as in |add )?--([a-z-]+)/g, (option, before = "", name) => {
    const id = name.replaceAll("-", "_").replace("class_scores", "score");
    const label = document.querySelector(`label[for=${id}]`) ?? by(id)?.querySelector("legend");
    return label ? `${before}“${label.firstChild.textContent.trim()}”${before && ":"}` : option;
  })
  .replace(/, (or|add)\b[^,;]*--[^,;]*(?=[,;]|$)/gm, "");

// Does the work of a form. If it fails, the form shows the error, and `onFailure` removes old
// results.
// `work` gets a function that returns whether the focus is still where it was.
async function attempt(form, work, onFailure = () => {}) {
  const alert = form.querySelector("[role=alert]");
  alert.hidden = true;
  const focused = document.activeElement;
  try {
    await work(() => document.activeElement === focused || document.activeElement === document.body);
  } catch (error) {
    if (error instanceof Cancelled) return;
    onFailure();
    alert.textContent = inWordsOfTheForm(error.message);
    alert.hidden = false;
    if (error.incomplete) offerToLeaveOut(error.incomplete);
    alert.focus();
  }
}

// The box below the error about rows without a value.
function offerToLeaveOut(rows) {
  const box = by("missing").parentElement;
  box.hidden = false;
  box.querySelector("span").textContent = `Leave ${rows === 1 ? "this row" : `these ${rows} rows`} out`;
}

// Files are kept by the file inputs, also if they were dropped. Equal names get a number.
const chosen = (role) => [...by(role).files];
function filesByName() {
  const names = new Map();
  for (const file of [...chosen("train"), ...chosen("test")]) {
    let name = file.name;
    for (let i = 2; names.has(name); i++) name = `${i}-${file.name}`;
    names.set(name, file);
  }
  return names;
}

const columnCache = new WeakMap();
async function columns(file) {
  if (!columnCache.has(file)) {
    columnCache.set(file, await ask({ ask: "columns", file: file.name }, [[file.name, file]]));
  }
  return columnCache.get(file);
}

// Shows the names of the chosen files in place of the examples of tables.
function showChosen() {
  for (const role of ["train", "test"]) {
    const box = by(role).parentElement, names = chosen(role).map(({ name }) => name);
    box.querySelector(".chosen").textContent = names.join(", ") || "No file chosen";
    box.querySelector("pre").hidden = names.length > 0;
  }
}

function setFiles(role, files) {
  const transfer = new DataTransfer();
  for (const file of files) transfer.items.add(file);
  by(role).files = transfer.files;
}

// Assigns dropped files. A file that is dropped on an input belongs to that input. If there are
// several and none is chosen as labelled yet, the file with a label column becomes the labelled
// one.
async function drop(files, role) {
  leaveExample();
  if (!role || (files.length > 1 && !chosen("train").length)) {
    const guesses = [];
    for (const file of files) guesses.push((await columns(file)).labelled);
    const withPositive = guesses.findIndex((guess) => guess?.positive);
    const withLabel = guesses.filter((guess) => guess?.label);
    const train = withPositive >= 0 || withLabel.length !== 1 ? withPositive : guesses.indexOf(withLabel[0]);
    if (train < 0 && files.length > 1) {
      const names = files.map(({ name }) => name).join(" and ");
      throw new Error(`cannot tell which of ${names} has the labels: choose each file in its own place`);
    }
    if (train >= 0) setFiles("train", [files[train]]);
    const others = files.filter((_, i) => i !== train);
    if (others.length) setFiles("test", others);
  } else {
    setFiles(role, role === "train" ? files.slice(0, 1) : files);
  }
  await filesChanged();
}

// If a file were chosen twice, labelled rows would count as unlabelled rows.
const isSame = (a, b) => ["name", "size", "lastModified"].every((key) => a[key] === b[key]);
function checkDistinct() {
  const [[train], test] = [chosen("train"), chosen("test")];
  const duplicate = train && test.find((file) => isSame(file, train));
  if (duplicate) {
    throw new Error(`${duplicate.name} is in both places: choose a different file as the unlabelled table`);
  }
}

// Guesses are filled in once per file, so that they do not overwrite the user's choices.
let filledFiles = [];
const option = (value, text = value) => new Option(text, value);
const columnOption = ({ name, first, numbers }) => Object.assign(
  option(name, `${name} (${[...new Set(first)].join(", ")}, …)`), { classes: numbers ? undefined : [name] });
const fill = (id, options, value) => {
  by(id).replaceChildren(...options);
  by(id).value = value ?? "";
};

// Columns of numbers come first.
const scoreColumns = ({ columns }) => [...columns].sort((a, b) => b.numbers - a.numbers);

// The chosen columns of several classes: one for each class, or one of predicted classes.
const classScores = () => (by("values").children.length > 2 ? by("score").selectedOptions[0]?.classes : undefined);

function offer(id, isOffered) {
  by(id).parentElement.hidden = by(id).disabled = !isOffered;
}

// Offers the fields for these scores. The labelled table's column is asked for only if it has none of the name chosen
// for the other one.
function scoreChanged() {
  const field = by("train_score"), { value } = by("score"), hasClasses = Boolean(classScores());
  const isShared = [...field.options].some((option) => option.value === value);
  if (isShared) field.value = value;
  offer("train_score", !isShared && !hasClasses);
  for (const id of ["positive", "positive_name", "method", "transform", "cutoff"]) offer(id, !hasClasses);
  const column = labelColumn();
  offer("rest", !hasClasses && column && !(column.values?.length <= 2));
}

async function fillIn() {
  const [[train], [test]] = [chosen("train"), chosen("test")];
  if (!train || !test) return;
  checkDistinct();
  const [labelled, unlabelled] = [await columns(train), await columns(test)];
  const couldBeLabels = ({ values }) => values?.filter(([value]) => value).length === 2;
  if (unlabelled.labelled.label && !labelled.labelled.label && !labelled.columns.some(couldBeLabels)) {
    throw new Error(`${train.name} seems to have no labels, but ${test.name} has: choose them the other way round`);
  }
  if (filledFiles[0] === train && filledFiles[1] === test) return;
  // Choices about the labelled table are kept if only the unlabelled table changes.
  const keptIds = filledFiles[0] === train ? ["score", "train_score", "label", "positive"] : [];
  const [score, trainScore, label, positive] = keptIds.map((id) => by(id).value);
  filledFiles = [train, test];
  const [trainScores, testScores] = [labelled, unlabelled].map(scoreColumns);
  const inTest = [score, labelled.labelled.score].find((name) => testScores.some((column) => column.name === name));
  fill("score", testScores.map(columnOption), inTest ?? unlabelled.labelled.score);
  fill("train_score", trainScores.map(columnOption), trainScore || labelled.labelled.score);
  fill("label", labelled.columns.map(columnOption), label || labelled.labelled.label);
  labelChanged();
  if (score && inTest === score) by("score").value = score;
  scoreChanged();
  setPositive(positive || (labelled.labelled.positive ?? ""));
  by("missing").checked = false;
  by("missing").parentElement.hidden = true;
  if (!keptIds.length) by("rest").checked = false;
  const used = classScores() ?? [by("score").value];
  const others = unlabelled.columns.filter(({ name }) => !used.includes(name));
  for (const id of ["weight", "cluster", "stratum", "population"]) {
    const columns = ["weight", "population"].includes(id) ? others.filter(({ numbers }) => numbers) : others;
    fill(id, [by(id).options[0], ...columns.map(columnOption)], "");
  }
  by("by").querySelector(".boxes").replaceChildren(...others.map((column) => {
    const { name } = column;
    const box = Object.assign(document.createElement("input"), { type: "checkbox", name: "by", value: name });
    const label = document.createElement("label");
    label.append(box, columnOption(column).text);
    return label;
  }));
  by("by").hidden = !by("by").querySelector("input");
  by("columns").hidden = by("columns").disabled = false;
}

// The number of rows in which values are counted, MAX_ROWS of truecount-web.
const FIRST_ROWS = 100000;

const labelColumn = () => columnCache.get(filledFiles[0]).columns.find(({ name }) => name === by("label").value);

function labelChanged() {
  const column = labelColumn();
  const values = column?.values ?? [];
  const counted = values.reduce((sum, [, rows]) => sum + rows, 0) < FIRST_ROWS ? "rows" : "of the first rows";
  by("values").replaceChildren(...values.filter(([value]) => value).map(([value, rows]) => Object.assign(
    document.createElement("button"),
    { type: "button", className: "button", value, textContent: `${value} (${rows.toLocaleString("en")} ${counted})` },
  )));
  // If every label has a column of scores, the answer is about all of them.
  by("score").querySelector(".classes")?.remove();
  const { classes } = column ?? {};
  if (classes?.every((name) => by("score").querySelector(`[value="${CSS.escape(name)}"]`))) {
    const all = option("all", `a column for each class: ${classes.join(", ")}`);
    by("score").prepend(Object.assign(all, { className: "classes", classes, selected: true }));
  }
  setPositive("");
  scoreChanged();
}

function setPositive(value) {
  by("positive").value = value;
  by("rest").nextElementSibling.textContent = `“${value || "…"}” against the rest: all other labels mean no`;
  for (const button of by("values").children) button.ariaPressed = button.value === value;
}

// Estimates.
const groups = () => [...question.querySelectorAll("[name=by]:checked")].map((box) => box.value);
// An empty field stands for the default.
function value(id) {
  const { type, value, valueAsNumber, disabled } = by(id);
  return value === "" || disabled ? undefined : type === "number" ? valueAsNumber : value;
}
const values = (ids) => Object.fromEntries(ids.map((id) => [id, value(id)]));
// A request has the command's options, in their order on the command line.
function currentRequest() {
  const files = filesByName();
  const [train, ...test] = files.keys();
  const classes = classScores(), scores = classes ? ["label"] : ["score", "train_score", "label", "positive"];
  const request = { train, test, class_scores: classes, ...values(scores), by: groups() };
  if (by("rest").checked && !by("rest").disabled) request.rest = true;
  if (by("missing").checked) request.missing = "drop";
  if (request.by.length) request.every = value("every");
  const method = value("method") && [value("method")];
  Object.assign(request, values(["weight", "cluster", "stratum", "population"]), { method });
  Object.assign(request, values(["transform", "cutoff", "target", "level", "items", "positive_name"]));
  return [request, [...files]];
}

// The request of the shown results, with its files. Downloads and comparisons use it, even if the
// form has changed since.
let shownRequest;
let reportUrl;
const title = document.title;

async function estimate() {
  await prepared;
  engine.cancel();
  await attempt(question, async (hasSameFocus) => {
    await fillIn();
    if (!question.reportValidity()) return;
    const [request, files] = currentRequest();
    const report = await ask({ ask: "report", ...request }, files);
    shownRequest = [request, files];
    show(report);
    if (!hasSameFocus()) return;
    answer.focus({ preventScroll: true });
    answer.scrollIntoView();
  }, clear);
}

function clear() {
  shownRequest = undefined;
  answer.hidden = by("after").hidden = by("stale").hidden = true;
  answer.replaceChildren();
  document.title = title;
}

function show({ page, command, warnings }) {
  const report = new DOMParser().parseFromString(page, "text/html");
  const main = report.querySelector("main");
  // The page has its own h1, so that of the report becomes an h2.
  const head = Object.assign(document.createElement("h2"), { id: "answer-head" });
  const first = main.querySelector("h1");
  head.append(...first.childNodes);
  first.replaceWith(head);
  answer.replaceChildren(...main.childNodes, ...paragraphs(warnings));
  live(answer);
  linkWords(answer);
  document.title = report.title;
  by("said").textContent = report.title;

  URL.revokeObjectURL(reportUrl);
  reportUrl = URL.createObjectURL(new Blob([page], { type: "text/html" }));
  by("report").href = reportUrl;
  downloads.querySelector(".result").replaceChildren(commandLine(command));
  const table = answer.querySelector("#groups");
  by("copy-table").hidden = comparison.hidden = !table;
  const lastName = (row) => [...row.querySelectorAll("th")].at(-1).textContent;
  const names = table ? [...table.tBodies[0].rows].map(lastName) : [];
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

// Links the first occurrence of each explained word to its explanation.
function linkWords(root) {
  for (const { id, dataset } of by("words").querySelectorAll("dt")) {
    const pattern = new RegExp(`\\b(?:${dataset.pattern})(?!\\w)`, "i");
    const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const match = pattern.exec(texts.currentNode.data);
      if (!match || texts.currentNode.parentElement.closest("a, button, summary, svg, pre, code")) continue;
      const word = texts.currentNode.splitText(match.index);
      word.splitText(match[0].length);
      const link = Object.assign(document.createElement("a"), { className: "word", href: `#${id}` });
      word.replaceWith(link);
      link.append(word);
      break;
    }
  }
}

const paragraphs = (lines) => lines.map((line) =>
  Object.assign(document.createElement("p"), { className: "note said", textContent: inWordsOfTheForm(line) }));

function commandLine(command) {
  const part = by("command").content.cloneNode(true);
  part.querySelector("code").textContent = command;
  return part;
}

function showBelow(form, { answer = "", html, command, warnings }) {
  const content = new DOMParser().parseFromString(html, "text/html").body;
  const result = form.querySelector(".result");
  const sentence = Object.assign(document.createElement("p"), { className: "answer said", textContent: answer });
  result.replaceChildren(...(answer ? [sentence] : []), ...content.childNodes, ...paragraphs(warnings), commandLine(command));
  for (const text of result.querySelectorAll("p")) {
    if (!text.children.length) text.textContent = inWordsOfTheForm(text.textContent);
  }
  live(result);
  linkWords(result);
  by("said").textContent = answer || "Done; the result is below.";
}

async function filesChanged() {
  showChosen();
  by("stale").hidden = !shownRequest;
  if (["train", "test"].every((role) => chosen(role).length)) return estimate();
  by("columns").hidden = by("columns").disabled = true;
  filledFiles = [];
  await prepared;
  engine.cancel();
  // Files are read as soon as they are chosen, so that errors show at once.
  await attempt(question, () => Promise.all(["train", "test"].flatMap(chosen).map(columns)));
}

// The example. Its files and names are removed when the user chooses a file.
const examples = new WeakSet();
async function showExample() {
  for (const element of document.querySelectorAll("script.example")) {
    const file = new File([await unpacked(element.textContent)], element.dataset.name);
    examples.add(file);
    setFiles(element.dataset.role, [file]);
    showChosen();
  }
  by("items").value = "messages";
  by("positive_name").value = "spam";
  await fillIn();
  for (const box of question.querySelectorAll("[name=by]")) box.checked = true;
  await estimate();
}

function leaveExample() {
  const roles = ["train", "test"].filter((role) => chosen(role).some((file) => examples.has(file)));
  for (const role of roles) by(role).value = "";
  if (roles.length) by("items").value = by("positive_name").value = "";
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

const cellText = ({ textContent }) => textContent.trim().replace(/\s+/g, " ");
const tabSeparated = (table) => [...table.rows].map((row) => [...row.cells].map(cellText).join("\t")).join("\n");

// Events.
question.addEventListener("submit", (event) => {
  event.preventDefault();
  estimate();
});
question.addEventListener("change", ({ target }) => {
  if (target.type === "file") {
    leaveExample();
    return filesChanged();
  }
  if (target.id === "label") labelChanged();
  if (target.id === "score") scoreChanged();
  if (target.id === "missing") return estimate();
  by("stale").hidden = !shownRequest;
});
by("positive").addEventListener("input", ({ target }) => setPositive(target.value));
by("values").addEventListener("click", ({ target }) => {
  if (!target.matches("button")) return;
  setPositive(target.value);
  by("rest").checked = !by("rest").disabled;
  // The first choice completes the form.
  if (!shownRequest) return estimate();
  by("stale").hidden = false;
});
by("example").addEventListener("click", () => attempt(question, showExample));
comparison.addEventListener("submit", (event) => {
  event.preventDefault();
  const compared = shownRequest;
  const [request, files] = compared;
  attempt(comparison, async () => {
    const differences = await ask({ ask: "differences", ...request, reference: value("reference") }, files);
    // The shown results may have changed meanwhile.
    if (compared === shownRequest) showBelow(comparison, differences);
  }, () => comparison.querySelector(".result").replaceChildren());
});
downloads.addEventListener("submit", (event) => {
  event.preventDefault();
  const [request, files] = shownRequest;
  attempt(downloads, async () => {
    const { text } = await ask({ ask: "estimates", ...request }, files);
    const href = URL.createObjectURL(new Blob([text], { type: "text/csv" }));
    Object.assign(document.createElement("a"), { href, download: "estimates.csv" }).click();
    // By then the browser has started the download.
    setTimeout(() => URL.revokeObjectURL(href), 60_000);
  });
});
counts.addEventListener("submit", (event) => {
  event.preventDefault();
  const typed = [...counts.querySelectorAll("input")].map(({ id, value }) => [id, value.trim() || undefined]);
  const request = Object.fromEntries(typed);
  attempt(counts, async () => showBelow(counts, await ask({ ask: "counts", ...request })),
    () => counts.querySelector(".result").replaceChildren());
});
by("copy-table").addEventListener("click", ({ target }) => copy(tabSeparated(answer.querySelector("#groups")), target));
document.addEventListener("click", ({ target }) => {
  // Not every browser opens the section of a link's target.
  if (target.matches(".word")) by("words").open = true;
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

// Where there is room beside the tables, the other form is open.
by("from-counts").open = matchMedia("(min-width: 90rem)").matches;

if (!able) {
  by("outdated").hidden = false;
} else {
  engine = new Engine(by("module").textContent, by("worker").textContent, progress, showRunning);
  prepared = attempt(question, async () => {
    const { version, methods, transforms, targets, periods, references } = await ask({ ask: "choices" });
    by("version").textContent = version;
    const lists = { method: methods, transform: transforms, target: targets, every: periods, reference: references };
    for (const [id, choices] of Object.entries(lists)) {
      by(id).append(...choices.map(({ name, what }) => option(name, `${name}: ${what}`)));
    }
  });
}
