// Makes tables and figures interactive: a click on a column's header sorts the table, the search field
// filters the groups, and the pointer or the arrow keys show a group of a figure.
"use strict";
function live(root) {
  for (const table of root.querySelectorAll("table.sortable")) {
    const body = table.tBodies[0];
    const heads = [...table.tHead.rows[0].cells];
    heads.forEach((head, column) => {
      const button = head.querySelector("button");
      if (!button) return;
      button.addEventListener("click", () => {
        const up = head.getAttribute("aria-sort") !== "ascending";
        heads.forEach((other) => other.hasAttribute("aria-sort") && other.setAttribute("aria-sort", "none"));
        head.setAttribute("aria-sort", up ? "ascending" : "descending");
        const order = new Intl.Collator(undefined, { numeric: true }).compare;
        const value = (cell) => (cell.dataset.v === undefined ? cell.textContent : Number(cell.dataset.v));
        const rows = [...body.rows].map((row) => [value(row.cells[column]), row]);
        // Cells without a number stay at the end.
        rows.sort(([a], [b]) => {
          if (typeof a === "string") return up ? order(a, b) : order(b, a);
          if (isNaN(a) || isNaN(b)) return isNaN(a) - isNaN(b);
          return up ? a - b : b - a;
        });
        body.append(...rows.map(([, row]) => row));
        table.dispatchEvent(new Event("sorted"));
      });
    });
  }
  const search = root.querySelector("#search");
  if (search) {
    // A button shows the rows after the first; thousands take a second to lay out.
    const groups = root.querySelector("#groups");
    const first = Number(groups.dataset.first);
    const body = groups.tBodies[0];
    const shown = root.querySelector("#shown");
    const all = root.querySelector("#all");
    const number = body.rows.length;
    const name = (row) => [...row.querySelectorAll("th")].map((cell) => cell.textContent).join(" ").toLowerCase();
    const names = new Map([...body.rows].map((row) => [row, name(row)]));
    const show = () => {
      const query = search.value.trim().toLowerCase();
      const limit = all.pressed ? number : first;
      let matches = 0;
      for (const row of body.rows) {
        const isMatch = names.get(row).includes(query);
        matches += isMatch;
        row.hidden = !isMatch || matches > limit;
      }
      const some = matches > limit ? `${limit} of ` : "";
      shown.textContent = query ? `${some}${matches} found in ${number} rows` : `${some}${number} rows`;
      all.hidden = matches <= limit;
    };
    search.addEventListener("input", show);
    all.addEventListener("click", () => {
      all.pressed = true;
      show();
    });
    groups.addEventListener("sorted", show);
    show();
    search.closest(".find").hidden = false;
  }
  for (const figure of root.querySelectorAll("figure[data-labels]")) {
    const labels = figure.dataset.labels.split("\n");
    const output = document.createElement("output");
    output.textContent = "Point at a group, or move with the arrow keys, to read its numbers.";
    figure.querySelector("figcaption").after(output);
    figure.tabIndex = 0;
    // The circles of the groups are the first ones of each drawing, in the order of the labels.
    const drawings = [...figure.querySelectorAll("svg")].map((svg) => [...svg.querySelectorAll("circle")].slice(0, labels.length));
    let shown = -1;
    const show = (index) => {
      shown = Math.max(0, Math.min(index, labels.length - 1));
      drawings.forEach((circles) => circles.forEach((circle, i) => circle.classList.toggle("shown", i === shown)));
      output.textContent = labels[shown];
    };
    figure.addEventListener("pointermove", (event) => {
      const circles = drawings.find(([circle]) => circle.ownerSVGElement.contains(event.target));
      if (!circles) return;
      const boxes = circles.map((circle) => circle.getBoundingClientRect());
      const increases = (side) => boxes.filter((box, i) => i > 0 && box[side] > boxes[i - 1][side]).length;
      // The pointer may be anywhere in a row, or above and below a date.
      const [x, y] = increases("top") > increases("left") ? [1, 9] : [9, 1];
      const distances = boxes.map((box) =>
        Math.hypot(x * (box.left + box.width / 2 - event.clientX), y * (box.top + box.height / 2 - event.clientY)));
      show(distances.indexOf(Math.min(...distances)));
    });
    figure.addEventListener("keydown", (event) => {
      const [next, previous] = [shown + 1, shown - 1];
      const index = {
        ArrowDown: next, ArrowRight: next, ArrowUp: previous, ArrowLeft: previous, Home: 0, End: labels.length - 1,
      }[event.key];
      if (index === undefined) return;
      event.preventDefault();
      show(index);
    });
  }
}
live(document);
// All rows are printed.
addEventListener("beforeprint", () => document.getElementById("all")?.click());
