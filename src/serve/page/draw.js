// A tree as SVG. Only what can be seen is drawn, so that a tree of any size stays smooth.

import { s, h, put, key, range } from "./dom.js";
import { place } from "./layout.js";
import { t } from "./words.js";

const AROUND = 400;

export class Drawing {
  // `on`: select(span), open(span), drop(span, target), cut(edu).
  constructor(on, { label = (name) => name, small = false, calm = false } = {}) {
    this.calm = calm;
    this.mapSize = small ? 120 : 180;
    this.on = on;
    this.label = label;
    this.zoom = 1;
    this.marks = new Map();
    this.drawn = new Map();
    this.selected = null;
    this.back = s("g", { class: "edges" });
    this.front = s("g", { class: "nodes" });
    this.over = s("g", { class: "over" });
    this.svg = s("svg", { class: "tree", role: "tree", tabindex: "0", "aria-label": t("tree") },
      s("defs", {}, s("marker", { id: small ? "tip-small" : "tip", viewBox: "0 0 8 8", refX: "7", refY: "4", markerWidth: "7", markerHeight: "7", orient: "auto-start-reverse" }, s("path", { d: "M0,0 L8,4 L0,8 z", class: "tip" }))),
      this.back, this.front, this.over);
    this.tip = small ? "tip-small" : "tip";
    this.scroller = h("div", { class: "scroller" }, this.svg);
    this.canvas = s("svg", { class: "minimap-tree", "aria-hidden": "true", preserveAspectRatio: "none" });
    this.frame = h("div", { class: "minimap-frame" });
    this.map = h("div", { class: "minimap", "aria-hidden": "true" }, this.canvas, this.frame);
    this.element = h("div", { class: "drawing" }, this.scroller, this.map);
    this.scroller.addEventListener("scroll", () => this.soon());
    this.resize = new ResizeObserver(() => { this.soon(); });
    this.resize.observe(this.scroller);
    this.listen();
  }

  show(view, folded = new Set()) {
    this.view = view;
    this.layout = place(view, folded);
    if (this.edges?.length) this.layout.height += 34;
    this.spans = new Map();
    for (const at of this.layout.order) this.spans.set(key(view.nodes[at].span), at);
    for (const element of this.drawn.values()) for (const one of element) one.remove();
    this.drawn.clear();
    this.over.replaceChildren();
    this.beside();
    this.size();
    this.paint();
    this.overview();
  }

  size() {
    const { width, height } = this.layout;
    this.svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    this.svg.setAttribute("width", Math.ceil(width * this.zoom));
    this.svg.setAttribute("height", Math.ceil(height * this.zoom));
  }

  soon() {
    if (this.waiting) return;
    this.waiting = requestAnimationFrame(() => { this.waiting = 0; if (this.layout) { this.paint(); this.follow(); } });
  }

  // Draws what has come into sight and takes away what went out of it.
  paint() {
    const box = this.scroller;
    const wide = (box.clientWidth || 1200) / this.zoom, high = (box.clientHeight || 800) / this.zoom;
    const x0 = box.scrollLeft / this.zoom - AROUND, x1 = x0 + wide + 2 * AROUND;
    const y0 = box.scrollTop / this.zoom - AROUND, y1 = y0 + high + 2 * AROUND;
    const seen = (own) => own.x1 >= x0 && own.x0 <= x1 && own.y - 60 <= y1 && (own.leaf ? own.bottom : own.y + 90) >= y0;
    for (const at of this.layout.order) {
      const own = this.layout.placed[at];
      const parent = own.parent >= 0 ? this.layout.placed[own.parent] : null;
      const wanted = seen(own) || (parent && seen(parent) && Math.min(own.anchor, parent.anchor) <= x1 && Math.max(own.anchor, parent.anchor) >= x0);
      const there = this.drawn.get(at);
      if (wanted && !there) this.drawn.set(at, this.node(at));
      else if (!wanted && there) { for (const one of there) one.remove(); this.drawn.delete(at); }
    }
    this.mark();
  }

  node(at) {
    const own = this.layout.placed[at];
    const { node } = own;
    const parts = [];
    const parent = own.parent >= 0 ? this.layout.placed[own.parent] : null;
    if (parent) parts.push(...this.edge(own, parent));
    const isEdu = node.span[0] === node.span[1] && !node.children?.length;
    const name = this.spoken(own);
    const group = s("g", { class: `node${isEdu ? " edu" : ""}${own.folded ? " folded" : ""}${!this.calm && own.parent < 0 && this.view.roots.length > 1 ? " loose" : ""}`, role: "treeitem", id: `n-${this.tip}-${key(node.span)}`, "aria-label": name, data: { span: key(node.span) } });
    if (own.leaf) {
      group.append(s("rect", { class: "box", x: own.x0, y: own.y - 4, width: own.width, height: own.bottom - own.y + 6, rx: 5 }));
    } else {
      group.append(s("rect", { class: "grip", x: own.x0, y: own.y - 16, width: own.x1 - own.x0, height: 22 }));
      group.append(s("line", { class: "bar", x1: own.x0, x2: own.x1, y1: own.y, y2: own.y }));
    }
    const signs = `${this.signed?.has(key(node.span)) ? " ◆" : ""}${this.noted?.has(key(node.span)) ? " ✎" : ""}`;
    const number = s("text", { class: "number", x: own.anchor, y: own.leaf ? own.y + 9 : own.y - 5 }, `${own.folded ? "▸ " : ""}${range(node.span)}${signs}`);
    group.append(number);
    // A long bar says at its beginning what it is: its number may be out of sight.
    if (!own.leaf && own.anchor - own.x0 > 700) group.append(s("text", { class: "number aside", x: own.x0 + 3, y: own.y - 5 }, `${range(node.span)}  ${this.label(node.relation)} ${node.roles.length > 3 ? "N…" : node.roles}`));
    own.lines.forEach((line, i) => {
      group.append(s("text", { class: `edu-text${this.view.edus[node.span[0] - 1]?.heading ? " heading" : ""}`, x: own.anchor, y: own.y + 26 + i * 18 }, line));
    });
    if (own.leaf) group.append(s("title", {}, own.text));
    this.front.append(group);
    parts.push(group);
    return parts;
  }

  // What joins a node with the one above it.
  edge(own, parent) {
    const roles = parent.node.roles;
    const several = [...roles].filter((role) => role === "N").length > 1;
    const top = own.y - 18;
    if (own.role === "N") {
      const line = s("line", { class: several ? "nucleus several" : "nucleus", x1: parent.anchor, y1: parent.y, x2: own.anchor, y2: own.leaf ? own.y - 5 : top });
      this.back.append(line);
      const first = parent.children[0] === own.at;
      if (!several || !first) return [line];
      const label = this.relation(parent.node, parent.anchor, parent.y + 17);
      return [line, label];
    }
    const nucleus = parent.children.map((at) => this.layout.placed[at]).find((child) => child.role === "N");
    const from = own.anchor, to = nucleus.anchor;
    const peak = top - Math.min(30, 14 + Math.abs(from - to) / 14);
    const arc = s("path", { class: "satellite", d: `M${from},${top + (own.leaf ? 8 : 0)} C${from},${peak} ${to + (from - to) * 0.35},${peak} ${to + (from < to ? -4 : 4)},${top + (nucleus.leaf ? 8 : 0)}`, "marker-end": `url(#${this.tip})` });
    const label = this.relation(parent.node, from + (to - from) * 0.36, peak + 3);
    this.back.append(arc);
    // A long arc says its relation at both ends.
    if (Math.abs(from - to) > 800) return [arc, label, this.relation(parent.node, to + Math.sign(from - to) * 110, top - 12)];
    return [arc, label];
  }

  // Relations beside the tree, as broken arcs; `edges` and the marks for signals and notes come from the label.
  adorn({ edges = [], signals = [], notes = [] } = {}) {
    this.edges = edges;
    this.signed = new Set(signals.map((sign) => key(sign.span)));
    this.noted = new Set(notes.map((note) => key(note.span)));
  }

  beside() {
    for (const edge of this.edges || []) {
      const [from, to] = [edge.source, edge.target].map((span) => this.layout.placed[this.spans.get(key(span))]);
      if (!from || !to) continue;
      const low = Math.max(from.leaf ? from.bottom : from.y, to.leaf ? to.bottom : to.y) + 30;
      const y = (own) => (own.leaf ? own.bottom : own.y) + 3;
      this.over.append(s("path", { class: "beside", d: `M${from.anchor},${y(from)} C${from.anchor},${low} ${to.anchor},${low} ${to.anchor},${y(to)}`, "marker-end": `url(#${this.tip})` }),
        s("text", { class: "relation", x: (from.anchor + to.anchor) / 2, y: low - 4 }, this.label(edge.relation)));
    }
  }

  relation(node, x, y) {
    const name = this.label(node.relation) || "?";
    const label = s("text", { class: `relation${this.own && !node.parsed ? " own" : ""}`, x, y, data: { relation: key(node.span) } }, name, s("title", {}, node.relation));
    this.over.append(label);
    return label;
  }

  spoken(own) {
    const { node } = own;
    if (own.leaf && !own.folded) return `EDU ${node.span[0]}: ${own.text}`;
    return `EDU ${range(node.span)}, ${this.label(node.relation)} ${node.roles}`;
  }

  select(span, { into = true } = {}) {
    this.selected = span ? key(span) : null;
    if (span && into) this.reveal(span);
    this.mark();
  }

  // Classes for nodes by their keys: differences, the source of a move, EDUs asked about.
  paintMarks(marks) { this.marks = marks; this.mark(); }

  mark() {
    for (const [at, parts] of this.drawn) {
      const group = parts[parts.length - 1];
      const own = key(this.view.nodes[at].span);
      const selected = own === this.selected;
      group.classList.toggle("selected", selected);
      group.setAttribute("aria-selected", selected ? "true" : "false");
      for (const name of ["differs", "source", "asked", "outside", "warned"]) group.classList.toggle(name, (this.marks.get(own) || "").split(" ").includes(name));
    }
    if (this.selected && this.spans?.has(this.selected)) this.svg.setAttribute("aria-activedescendant", `n-${this.tip}-${this.selected}`);
    else this.svg.removeAttribute("aria-activedescendant");
  }

  reveal(span) {
    const at = this.spans?.get(key(span));
    if (at === undefined) return;
    const own = this.layout.placed[at], box = this.scroller, z = this.zoom;
    const left = (own.leaf ? own.x0 : own.anchor - 60) * z, right = (own.leaf ? own.x1 : own.anchor + 60) * z;
    if (left < box.scrollLeft || right > box.scrollLeft + box.clientWidth) box.scrollLeft = (left + right) / 2 - box.clientWidth / 2;
    const top = (own.y - 50) * z, bottom = (own.leaf ? own.bottom : own.y + 60) * z;
    if (top < box.scrollTop || bottom > box.scrollTop + box.clientHeight) box.scrollTop = (top + bottom) / 2 - box.clientHeight / 2;
    this.paint();
    this.follow();
  }

  scale(zoom, x, y) {
    const box = this.scroller;
    const before = this.zoom;
    this.zoom = Math.max(0.08, Math.min(2.5, zoom));
    const px = x ?? box.clientWidth / 2, py = y ?? box.clientHeight / 2;
    const left = ((box.scrollLeft + px) / before) * this.zoom - px, top = ((box.scrollTop + py) / before) * this.zoom - py;
    this.size();
    box.scrollLeft = left; box.scrollTop = top;
    this.paint();
    this.overview();
  }

  // The whole tree where letters can still be read, else its beginning at a readable size.
  fit() {
    const box = this.scroller;
    const all = Math.min((box.clientWidth - 8) / this.layout.width, (box.clientHeight - 8) / this.layout.height, 1.15);
    this.scale(Math.max(all, 0.78));
    box.scrollLeft = 0; box.scrollTop = 0;
    const root = this.layout.placed[this.view.roots[0]];
    if (root && root.anchor * this.zoom > box.clientWidth) box.scrollLeft = 0;
    this.paint(); this.follow();
  }

  overview() {
    const { width, height, order, placed } = this.layout;
    const box = this.scroller;
    const needed = width * this.zoom > box.clientWidth + 40 || height * this.zoom > box.clientHeight + 40;
    this.map.hidden = !needed;
    if (!needed) return;
    this.mapWidth = this.mapSize; this.mapHeight = Math.max(30, Math.min(this.mapSize * 0.6, (height / width) * this.mapSize * 2.2));
    this.canvas.setAttribute("viewBox", `0 0 ${width} ${height}`);
    this.canvas.setAttribute("width", this.mapWidth); this.canvas.setAttribute("height", this.mapHeight);
    let bars = "", boxes = "";
    for (const at of order) {
      const own = placed[at];
      if (own.leaf) boxes += `M${own.x0},${own.y}h${own.width}v${own.bottom - own.y}h${-own.width}z`;
      else bars += `M${own.x0},${own.y}H${own.x1}M${own.anchor},${own.y}v${74}`;
    }
    put(this.canvas, s("path", { d: boxes, class: "map-box" }), s("path", { d: bars, class: "map-bar", "vector-effect": "non-scaling-stroke" }));
    this.follow();
  }

  follow() {
    if (this.map.hidden || !this.layout) return;
    const { width, height } = this.layout, box = this.scroller, z = this.zoom;
    const fx = this.mapWidth / (width * z), fy = this.mapHeight / (height * z);
    Object.assign(this.frame.style, { left: `${box.scrollLeft * fx}px`, top: `${box.scrollTop * fy}px`, width: `${Math.min(this.mapWidth, box.clientWidth * fx)}px`, height: `${Math.min(this.mapHeight, box.clientHeight * fy)}px` });
  }

  spanAt(event) {
    const under = document.elementFromPoint(event.clientX, event.clientY);
    const found = under?.closest?.("[data-span], [data-relation]");
    if (!found || !this.svg.contains(found)) return null;
    return (found.dataset.span || found.dataset.relation).split("-").map(Number);
  }

  listen() {
    const jump = (event) => {
      const box = this.map.getBoundingClientRect(), { width, height } = this.layout;
      this.scroller.scrollLeft = ((event.clientX - box.left) / this.mapWidth) * width * this.zoom - this.scroller.clientWidth / 2;
      this.scroller.scrollTop = ((event.clientY - box.top) / this.mapHeight) * height * this.zoom - this.scroller.clientHeight / 2;
    };
    this.map.addEventListener("pointerdown", (event) => { this.map.setPointerCapture(event.pointerId); jump(event); });
    this.map.addEventListener("pointermove", (event) => { if (event.buttons) jump(event); });
    this.scroller.addEventListener("wheel", (event) => {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      const box = this.scroller.getBoundingClientRect();
      this.scale(this.zoom * Math.exp(-event.deltaY / 400), event.clientX - box.left, event.clientY - box.top);
    }, { passive: false });
    let start = null, ghost = null, over = null;
    this.svg.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      const span = this.spanAt(event);
      start = { span, x: event.clientX, y: event.clientY, left: this.scroller.scrollLeft, top: this.scroller.scrollTop, moved: false };
    });
    const stop = () => {
      ghost?.remove(); ghost = null;
      over?.classList.remove("over"); over = null;
      this.svg.classList.remove("dragging", "panning");
      start = null;
    };
    window.addEventListener("pointermove", (event) => {
      if (!start) return;
      const dx = event.clientX - start.x, dy = event.clientY - start.y;
      if (!start.moved && Math.hypot(dx, dy) < 6) return;
      start.moved = true;
      if (!start.span || !this.on.drop) {
        this.svg.classList.add("panning");
        this.scroller.scrollLeft = start.left - dx; this.scroller.scrollTop = start.top - dy;
        return;
      }
      this.svg.classList.add("dragging");
      if (!ghost) { ghost = h("div", { class: "ghost" }, range(start.span)); document.body.append(ghost); }
      ghost.style.left = `${event.clientX + 12}px`; ghost.style.top = `${event.clientY + 12}px`;
      const target = this.spanAt(event);
      over?.classList.remove("over");
      over = target && this.front.querySelector(`[data-span="${key(target)}"]`);
      over?.classList.add("over");
      this.edgeScroll(event);
    });
    window.addEventListener("pointerup", (event) => {
      if (!start) return;
      const { span, moved } = start;
      const target = this.spanAt(event);
      stop();
      if (!moved) { if (span) { this.svg.focus({ preventScroll: true }); this.on.select?.(span); } return; }
      if (span && target && key(span) !== key(target)) this.on.drop?.(span, target);
    });
    window.addEventListener("pointercancel", stop);
    this.svg.addEventListener("dblclick", (event) => { const span = this.spanAt(event); if (span) this.on.open?.(span, Boolean(event.target.closest?.("[data-relation]"))); });
  }

  edgeScroll(event) {
    const box = this.scroller.getBoundingClientRect();
    if (event.clientX > box.right - 40) this.scroller.scrollLeft += 18;
    if (event.clientX < box.left + 40) this.scroller.scrollLeft -= 18;
    if (event.clientY > box.bottom - 30) this.scroller.scrollTop += 14;
    if (event.clientY < box.top + 30) this.scroller.scrollTop -= 14;
  }

  // The node in a direction, for the keyboard.
  toward(span, direction) {
    const at = this.spans.get(key(span));
    if (at === undefined) return this.view.roots.length ? this.view.nodes[this.view.roots[0]].span : null;
    const own = this.layout.placed[at];
    const spanOf = (place_) => this.view.nodes[place_].span;
    if (direction === "up") return own.parent >= 0 ? spanOf(own.parent) : null;
    if (direction === "down") {
      if (!own.children.length) return null;
      const nucleus = own.node.roles.indexOf("N");
      return spanOf(own.children[Math.max(0, nucleus)]);
    }
    // Left and right: the nearest node at the same height or above that begins or ends beside this one.
    const edge = direction === "left" ? own.node.span[0] - 1 : own.node.span[1] + 1;
    let best = null;
    for (const other of this.layout.order) {
      const { node, depth } = this.layout.placed[other];
      const beside = direction === "left" ? node.span[1] === edge : node.span[0] === edge;
      if (beside && (best === null || Math.abs(depth - own.depth) < Math.abs(this.layout.placed[best].depth - own.depth))) best = other;
    }
    return best === null ? null : spanOf(best);
  }
}
