// Two trees of one text side by side; either side can be taken over node by node.

import { call } from "./api.js";
import { h, key, percent, put, range, toast } from "./dom.js";
import { t } from "./words.js";
import { Drawing } from "./draw.js";
import { stepsOf } from "./steps.js";

const KINDS = { "only-left": "only_left", "only-right": "only_right", roles: "diff_roles", relation: "diff_relation" };

export class CompareMode {
  constructor(work) {
    this.work = work;
    this.at = 0;
    const label = (name) => work.app.relationName(name);
    const on = { select: (span) => this.select(span) };
    this.left = new Drawing(on, { label, small: true });
    this.right = new Drawing(on, { label, small: true });
    this.board = h("section", { class: "board", "aria-label": t("mode_compare") });
    this.sides = h("div", { class: "two" }, this.left.element, this.right.element);
    this.element = h("div", { class: "mode compare" }, this.board, this.sides);
    this.drawing = this.left;
  }

  leave() { this.left.resize.disconnect(); this.right.resize.disconnect(); }

  async update(first) {
    try { this.told = await call("compare", { id: this.work.id, left: this.chosen?.[0], right: this.chosen?.[1] }); } catch (error) { put(this.board, h("p", { class: "hint" }, error.message)); return; }
    const { told } = this;
    this.chosen = told.chosen;
    this.left.show(told.left); this.right.show(told.right);
    if (first) { this.left.fit(); this.right.fit(); }
    this.paint();
    this.select(told.differences[this.at]?.[0]);
  }

  select(span) {
    if (span) this.work.selected = span;
    for (const side of [this.left, this.right]) {
      const marks = new Map();
      for (const [one] of this.told.differences) marks.set(key(one), "differs");
      side.paintMarks(marks);
      if (span) side.select(span);
    }
    this.span = span;
    this.paint();
  }

  paint() {
    const { told, work } = this;
    const choose = (at) => h("select", { "aria-label": at ? t("right_") : t("left"), onchange: (event) => { this.chosen = [...this.chosen]; this.chosen[at] = event.target.value; this.at = 0; this.update(); } }, told.sides.map((name) => h("option", { value: name, selected: name === told.chosen[at] }, name === "parse" ? t("grammar") : name)));
    const has = (view, span) => span && view.nodes.find((node) => key(node.span) === key(span) && node.children?.length);
    const { span } = this;
    put(this.board,
      h("div", { class: "inline" }, choose(0), " ↔ ", choose(1), ["S", "N", "R", "F"].filter((name) => name in told.figures).map((name) => [name, told.figures[name]]).map(([name, value]) => h("span", { class: "figure" }, `${name} `, h("strong", {}, (100 * value).toFixed(1))))),
      told.sides.length < 2 ? h("p", { class: "hint" }, t("notTwo")) : null,
      told.other_edus ? h("p", { class: "hint" }, t("otherEdus")) : null,
      told.sides.length > 1 && !told.other_edus && !told.differences.length ? h("p", { class: "good" }, t("same")) : null,
      told.differences.length ? h("div", { class: "differences", role: "listbox", "aria-label": t("differences"), tabindex: "0" }, told.differences.map(([one, what], i) => h("button", { class: "choice", role: "option", "aria-selected": String(span && key(one) === key(span)), onclick: () => { this.at = i; this.select(one); } }, `${range(one)} ${t(KINDS[what])}`))) : null,
      span && !told.other_edus && !work.state.busy ? h("div", { class: "buttons" },
        h("button", { id: "take-left", disabled: !has(told.left, span), onclick: () => this.take(told.left) }, t("takeLeft"), ` ${range(span)}`, h("kbd", {}, "←")),
        h("button", { id: "take-right", disabled: !has(told.right, span), onclick: () => this.take(told.right) }, t("takeRight"), ` ${range(span)}`, h("kbd", {}, "→")),
        h("button", { onclick: () => work.note() }, t("note"), h("kbd", {}, "T"))) : null);
  }

  async take(view) {
    const at = view.nodes.findIndex((node) => key(node.span) === key(this.span));
    if (at < 0) return;
    const done = await this.work.act({ edit: { take: { over: this.span, steps: stepsOf(view, at) } } });
    if (done) toast(t("takenInto", this.work.state.annotator));
  }

  onkey(event, does) {
    const { told } = this;
    if (!told) return undefined;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step && told.differences.length) return does(() => { this.at = (this.at + step + told.differences.length) % told.differences.length; this.select(told.differences[this.at][0]); });
    if (event.key === "ArrowLeft" && this.span) return does(() => this.take(told.left));
    if (event.key === "ArrowRight" && this.span) return does(() => this.take(told.right));
    if (event.key === "t") return does(() => this.work.note());
    if (event.key === "z") return does(() => this.work.undo());
    return undefined;
  }
}
