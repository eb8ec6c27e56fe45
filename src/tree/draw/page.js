"use strict";
const rows = Array.from(document.querySelectorAll(".row"));
const depth = row => Number(row.dataset.depth);
const button = row => row.querySelector("button.fold");
const folded = row => { const b = button(row); return b !== null && b.getAttribute("aria-expanded") === "false"; };
function set(row, open) {
  const b = button(row);
  if (b === null) return;
  b.setAttribute("aria-expanded", String(open));
  b.textContent = open ? "▾" : "▸";
}
// One pass over all rows: a row is hidden while it is deeper than a folded one above it.
function show() {
  let limit = Infinity;
  for (const row of rows) {
    const d = depth(row);
    if (d <= limit) { row.hidden = false; limit = folded(row) ? d : Infinity; }
    else { row.hidden = true; }
  }
}
document.querySelector("main").addEventListener("click", event => {
  const row = event.target.closest(".row");
  if (row === null) return;
  if (event.target.closest(".fold")) { set(row, folded(row)); show(); }
  else if (event.target.closest(".more")) { const t = row.querySelector(".details"); t.hidden = !t.hidden; }
});
document.getElementById("fold-all").addEventListener("click", () => { rows.forEach(row => set(row, depth(row) === 0)); show(); });
document.getElementById("unfold-all").addEventListener("click", () => { rows.forEach(row => set(row, true)); show(); });
