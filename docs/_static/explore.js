// Explorables: a form asks the module with what its inputs say, and what the module answers goes to the form's places for it, and to the places
// elsewhere on the page that name in data-of what the form asks. Those are empty where nothing moves.
{
  const value = ({ type, value }) => (type === "text" ? value : Number(value));
  const request = (form) => ({
    ask: form.dataset.ask,
    ...Object.fromEntries([...form.elements].filter(({ name }) => name).map((input) => [input.name, value(input)])),
  });

  const made = (kind, attributes, ...children) => {
    const element = Object.assign(document.createElement(kind), attributes);
    element.append(...children);
    return element;
  };

  const elsewhere = (form) => [...document.querySelectorAll(`[data-of="${form.dataset.ask}"]`)];
  const places = (form, kind) => [...form.querySelectorAll(`[data-${kind}]`), ...elsewhere(form).filter(({ dataset }) => kind in dataset)];

  function show(form, found) {
    for (const place of places(form, "text")) place.textContent = found[place.dataset.text];
    // A sentence with names of answers in it.
    for (const place of places(form, "sentence")) place.textContent = place.dataset.sentence.replace(/\{(\w+)\}/g, (_, name) => found[name]);
    for (const place of places(form, "html")) place.innerHTML = found[place.dataset.html];
    for (const place of places(form, "figure")) {
      const figure = found.figures[place.dataset.figure];
      (place.querySelector(".picture") ?? place).innerHTML = figure ?? "";
      place.closest("figure").hidden = !figure;
    }
  }

  // One request at a time: what changed meanwhile is asked next, as it then is.
  const changed = new Set();
  let engine, answering;
  async function answer(form) {
    changed.add(form);
    if (answering) return;
    answering = true;
    for (const next of changed) {
      changed.delete(next);
      const wrong = next.querySelector("[role=alert]");
      try {
        show(next, await engine.ask(request(next)));
        wrong.textContent = "";
      } catch ({ message }) {
        wrong.textContent = message;
      }
      for (const part of [next, ...elsewhere(next)]) part.classList.toggle("failed", wrong.textContent !== "");
    }
    answering = false;
  }

  // An input that has a label as an attribute gets it, and a slider what it stands at: on code hosts, which drop inputs, no words are left over.
  function labelled(input) {
    const { label } = input.dataset;
    if (!label) return;
    delete input.dataset.label;
    input.id = `${input.form.dataset.ask}-${input.name}`;
    const together = made("div", {});
    input.replaceWith(together);
    together.append(made("label", { htmlFor: input.id }, label), " ", input);
    if (input.type === "range") input.after(made("output", { htmlFor: input.id, ariaLive: "off" }, input.value));
  }

  // A form with places elsewhere stays beside what is read, and can be folded where it takes too much of the window.
  const SMALL = "(max-width: 46em), (max-height: 40em)";
  function beside(form) {
    if (elsewhere(form).length === 0) return;
    form.classList.add("beside");
    const inputs = form.querySelector(".inputs");
    const fold = made("details", { open: !matchMedia(SMALL).matches }, made("summary", {}, form.getAttribute("aria-label")));
    inputs.replaceWith(fold);
    fold.append(inputs);
    new ResizeObserver(() => document.documentElement.style.setProperty("--audit-outside-test", `${form.offsetHeight}px`)).observe(form);
    for (const place of elsewhere(form)) {
      place.classList.add("moves");
      const { figure, caption } = place.dataset;
      if (figure) place.append(made("div", { className: "picture" }), made("figcaption", {}, made("p", {}, caption)));
    }
  }

  if (able) {
    engine = new Engine(truecount.module, truecount.worker);
    for (const form of document.querySelectorAll(".explorable")) {
      for (const input of [...form.elements]) {
        labelled(input);
        // What is typed counts when it is whole.
        input.addEventListener(input.type === "text" ? "change" : "input", () => {
          if (input.nextElementSibling?.matches("output")) input.nextElementSibling.value = input.value;
          answer(form);
        });
      }
      beside(form);
      form.addEventListener("submit", (event) => {
        event.preventDefault();
        // Its number goes up each time the button is pressed.
        if (form.elements.draw) form.elements.draw.value = Number(form.elements.draw.value) + 1;
        answer(form);
      });
      form.reset();
      answer(form);
    }
  }
}
