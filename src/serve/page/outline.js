// A tree as an indented list, for long texts: nothing is cut, everything unfolds.

import { h, put, key, range } from "./dom.js";

export class Outline {
  constructor(on, { label = (name) => name } = {}) {
    this.on = on;
    this.label = label;
    this.list = h("div", { class: "outline", role: "tree", tabindex: "0" });
    this.element = h("div", { class: "outline-box" }, this.list);
    this.list.addEventListener("click", (event) => {
      const row = event.target.closest("[data-span]");
      if (!row) return;
      const span = row.dataset.span.split("-").map(Number);
      if (event.target.closest(".twist")) this.on.fold?.(span);
      else { this.on.select?.(span); this.list.focus({ preventScroll: true }); }
    });
    this.list.addEventListener("dblclick", (event) => {
      const row = event.target.closest("[data-span]");
      if (row) this.on.open?.(row.dataset.span.split("-").map(Number));
    });
    let from = null;
    this.list.addEventListener("dragstart", (event) => { from = event.target.closest?.("[data-span]")?.dataset.span; event.dataTransfer?.setData("text/plain", from || ""); });
    this.list.addEventListener("dragover", (event) => { if (from && event.target.closest("[data-span]")) event.preventDefault(); });
    this.list.addEventListener("drop", (event) => {
      const to = event.target.closest("[data-span]")?.dataset.span;
      if (from && to && from !== to) { event.preventDefault(); event.stopPropagation(); this.on.drop?.(from.split("-").map(Number), to.split("-").map(Number)); }
      from = null;
    });
  }

  show(view, folded = new Set()) {
    this.view = view;
    this.rows = [];
    const pending = [...view.roots].reverse().map((at) => ({ at, depth: 0, role: "", relation: "", parent: null }));
    const rows = [];
    while (pending.length) {
      const { at, depth, role, relation, parent } = pending.pop();
      const node = view.nodes[at];
      const own = key(node.span);
      const isFolded = folded.has(own) && node.children?.length > 0;
      const children = isFolded ? [] : node.children || [];
      this.rows.push({ span: node.span, parent, depth, children: children.map((child) => view.nodes[child].span) });
      const text = view.edus.slice(node.span[0] - 1, node.span[1]).map((edu) => edu.text).join("");
      const shown = node.children?.length ? (isFolded ? text : "") : text;
      const row = h("div", { class: `row${node.children?.length ? "" : " leaf"}`, role: "treeitem", "aria-level": depth + 1, id: `o-${own}`, draggable: this.on.drop ? "true" : null, "aria-expanded": node.children?.length ? String(!isFolded) : null, data: { span: own } },
        h("span", { class: "twist", "aria-hidden": "true" }, node.children?.length ? (isFolded ? "▸" : "▾") : ""),
        h("span", { class: `role role-${role || "N"}` }, role || "·"),
        h("span", { class: "number" }, range(node.span)),
        role === "S" ? h("span", { class: "relation" }, this.label(relation)) : null,
        node.children?.length ? h("span", { class: "joins" }, `${this.label(node.relation)} ${node.roles}`) : null,
        shown ? h("span", { class: "text" }, shown) : null);
      row.style.setProperty("--depth", Math.min(depth, 18));
      rows.push(row);
      for (let i = children.length - 1; i >= 0; i -= 1) pending.push({ at: children[i], depth: depth + 1, role: node.roles[i], relation: node.relation, parent: node.span });
    }
    put(this.list, rows);
    this.mark();
  }

  select(span, { into = true } = {}) {
    this.selected = span ? key(span) : null;
    this.mark();
    if (into && this.selected) this.list.querySelector(`[data-span="${this.selected}"]`)?.scrollIntoView({ block: "nearest" });
  }

  paintMarks(marks) { this.marks = marks; this.mark(); }

  mark() {
    for (const row of this.list.children) {
      const own = row.dataset.span;
      row.classList.toggle("selected", own === this.selected);
      row.setAttribute("aria-selected", own === this.selected ? "true" : "false");
      for (const name of ["differs", "source", "asked", "warned"]) row.classList.toggle(name, (this.marks?.get(own) || "").split(" ").includes(name));
    }
    if (this.selected) this.list.setAttribute("aria-activedescendant", `o-${this.selected}`);
  }

  toward(span, direction) {
    const at = this.rows.findIndex((row) => key(row.span) === key(span));
    if (at < 0) return this.rows[0]?.span ?? null;
    if (direction === "up") return this.rows[at - 1]?.span ?? null;
    if (direction === "down") return this.rows[at + 1]?.span ?? null;
    if (direction === "left") return this.rows[at].parent;
    return this.rows[at].children[0] ?? null;
  }

  scale() {}
  fit() {}
}
