// Explorables: a form asks the module with what its inputs say, and what the module answers goes to the form's places for it.
{
  const value = ({ type, value }) => (type === "text" ? value : Number(value));
  const request = (form) => ({
    ask: form.dataset.ask,
    ...Object.fromEntries([...form.elements].filter(({ name }) => name).map((input) => [input.name, value(input)])),
  });

  function show(form, found) {
    for (const place of form.querySelectorAll("[data-text]")) place.textContent = found[place.dataset.text];
    for (const place of form.querySelectorAll("[data-html]")) place.innerHTML = found[place.dataset.html];
    for (const place of form.querySelectorAll("[data-figure]")) {
      const figure = found.figures[place.dataset.figure];
      place.innerHTML = figure ?? "";
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
      next.classList.toggle("failed", wrong.textContent !== "");
    }
    answering = false;
  }

  if (able) {
    engine = new Engine(truecount.module, truecount.worker);
    for (const form of document.querySelectorAll(".explorable")) {
      for (const input of form.elements) {
        // What is typed counts when it is whole.
        input.addEventListener(input.type === "text" ? "change" : "input", () => {
          if (input.nextElementSibling?.matches("output")) input.nextElementSibling.value = input.value;
          answer(form);
        });
      }
      form.addEventListener("submit", (event) => {
        event.preventDefault();
        // Its number goes up each time it is pressed.
        if (event.submitter?.name) event.submitter.value = Number(event.submitter.value) + 1;
        answer(form);
      });
      form.reset();
      answer(form);
    }
  }
}
