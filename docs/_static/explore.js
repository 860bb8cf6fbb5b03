// Explorables: a form sends its inputs to the module and shows the answer, in the form and in the
// elements of the page whose data-of is the form's data-ask. These are empty without JavaScript.
{
  const value = ({ type, value }) => (type === "text" ? value.trim() || undefined : Number(value));
  const request = (form) => ({
    ask: form.dataset.ask,
    ...Object.fromEntries([...form.elements].filter(({ name }) => name).map((input) => [input.name, value(input)])),
  });

  const create = (kind, attributes, ...children) => {
    const element = Object.assign(document.createElement(kind), attributes);
    element.append(...children);
    return element;
  };

  const outsideElements = (form) => [...document.querySelectorAll(`[data-of="${form.dataset.ask}"]`)];
  const outputs = (form, kind) => [
    ...form.querySelectorAll(`[data-${kind}]`),
    ...outsideElements(form).filter(({ dataset }) => kind in dataset),
  ];

  function show(form, answer) {
    for (const output of outputs(form, "text")) output.textContent = answer[output.dataset.text];
    // A sentence has the names of values in braces.
    for (const output of outputs(form, "sentence")) {
      output.textContent = output.dataset.sentence.replace(/\{(\w+)\}/g, (_, name) => answer[name]);
    }
    for (const output of outputs(form, "html")) output.innerHTML = answer[output.dataset.html];
    for (const output of outputs(form, "figure")) {
      const figure = answer.figures[output.dataset.figure];
      (output.querySelector(".picture") ?? output).innerHTML = figure ?? "";
      output.closest("figure").hidden = !figure;
    }
  }

  // One request at a time: forms that change meanwhile are sent next, with their current inputs.
  const changed = new Set();
  let engine, isBusy;
  async function update(form) {
    changed.add(form);
    if (isBusy) return;
    isBusy = true;
    for (const next of changed) {
      changed.delete(next);
      const alert = next.querySelector("[role=alert]");
      try {
        show(next, await engine.ask(request(next)));
        alert.textContent = "";
      } catch ({ message }) {
        alert.textContent = message;
      }
      for (const part of [next, ...outsideElements(next)]) part.classList.toggle("failed", alert.textContent !== "");
    }
    isBusy = false;
  }

  // Adds the label of an input and the value of a slider. Labels are attributes, because code hosts
  // drop inputs and would show labels without them.
  function addLabel(input) {
    const { label } = input.dataset;
    if (!label) return;
    delete input.dataset.label;
    input.id = `${input.form.dataset.ask}-${input.name}`;
    const group = create("div", {});
    input.replaceWith(group);
    group.append(create("label", { htmlFor: input.id }, label), " ", input);
    if (input.type === "range") input.after(create("output", { htmlFor: input.id, ariaLive: "off" }, input.value));
  }

  // Keeps a form with outputs outside in view while the page scrolls, folded in a small window.
  const SMALL = "(max-width: 46em), (max-height: 40em)";
  function makeSticky(form) {
    if (outsideElements(form).length === 0) return;
    form.classList.add("sticky");
    const inputs = form.querySelector(".inputs");
    const summary = create("summary", {}, form.getAttribute("aria-label"));
    const fold = create("details", { open: !matchMedia(SMALL).matches }, summary);
    inputs.replaceWith(fold);
    fold.append(inputs);
    const { style } = document.documentElement;
    new ResizeObserver(() => style.setProperty("--explorable-height", `${form.offsetHeight}px`)).observe(form);
    for (const output of outsideElements(form)) {
      output.classList.add("moves");
      const { figure, caption } = output.dataset;
      if (figure) {
        output.append(create("div", { className: "picture" }), create("figcaption", {}, create("p", {}, caption)));
      }
    }
  }

  if (able) {
    engine = new Engine(truecount.module, truecount.worker);
    for (const form of document.querySelectorAll(".explorable")) {
      for (const input of [...form.elements]) {
        addLabel(input);
        // A typed text is sent when it is complete.
        input.addEventListener(input.type === "text" ? "change" : "input", () => {
          if (input.nextElementSibling?.matches("output")) input.nextElementSibling.value = input.value;
          update(form);
        });
      }
      makeSticky(form);
      form.addEventListener("submit", (event) => {
        event.preventDefault();
        // Each press of the button increases the number of the draw.
        if (form.elements.draw) form.elements.draw.value = Number(form.elements.draw.value) + 1;
        update(form);
      });
      form.reset();
      update(form);
    }
  }
}
