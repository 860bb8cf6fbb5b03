// Makes tables live: sorts one by the column whose head is pressed, and shows the groups that are searched for.
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
        // What has no number stays at the end.
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
    // Thousands of rows take a second to lay out: those after the first are shown when asked for.
    const first = 200;
    const groups = root.querySelector("#groups");
    const body = groups.tBodies[0];
    const shown = root.querySelector("#shown");
    const all = root.querySelector("#all");
    const number = body.rows.length;
    const names = new Map([...body.rows].map((row) => [row, [...row.querySelectorAll("th")].map((cell) => cell.textContent).join(" ").toLowerCase()]));
    const show = () => {
      const wanted = search.value.trim().toLowerCase();
      const most = all.pressed ? number : first;
      let found = 0;
      for (const row of body.rows) {
        const fits = names.get(row).includes(wanted);
        found += fits;
        row.hidden = !fits || found > most;
      }
      const some = found > most ? `${most} of ` : "";
      shown.textContent = wanted ? `${some}${found} found in ${number} rows` : `${some}${number} rows`;
      all.hidden = found <= most;
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
}
live(document);
// On paper there are all rows.
addEventListener("beforeprint", () => document.getElementById("all")?.click());
