// Sorts a table by the column whose head is pressed, and shows only the groups that are searched for.
"use strict";
for (const table of document.querySelectorAll("table.sortable")) {
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
    });
  });
}
const search = document.getElementById("search");
if (search) {
  const rows = [...document.getElementById("groups").tBodies[0].rows];
  const shown = document.getElementById("shown");
  const names = rows.map((row) => [...row.querySelectorAll("th")].map((cell) => cell.textContent).join(" ").toLowerCase());
  search.addEventListener("input", () => {
    const wanted = search.value.trim().toLowerCase();
    let number = 0;
    rows.forEach((row, i) => {
      row.hidden = !names[i].includes(wanted);
      number += !row.hidden;
    });
    shown.textContent = wanted ? `${number} of ${rows.length} rows` : `${rows.length} rows`;
  });
  search.closest(".find").hidden = false;
}
