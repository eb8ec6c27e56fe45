// Shift and reduce, the grammar's proposal first; and the automaton step by step, with other steps forced.

import { call, windowId } from "./api.js";
import { h, key, percent, put, range, toast } from "./dom.js";
import { t } from "./words.js";
import { Drawing } from "./draw.js";
import { pickRelation } from "./picker.js";

const SHOWN = 7;

export class StepsMode {
  constructor(work) {
    this.work = work;
    this.at = 0;
    this.drawing = new Drawing({ select: (span) => work.choose(span, false) }, { label: (name) => work.app.relationName(name), calm: true });
    this.board = h("section", { class: "board", "aria-label": t("mode_steps") });
    this.element = h("div", { class: "mode" }, this.board, this.drawing.element);
  }

  async update() {
    const { work } = this;
    this.at = 0;
    const { state } = work;
    const empty = state.basis === "parse";
    // While nothing stands, the grammar's tree is not what is being made.
    const tree = empty ? { ...state.tree, nodes: leaves(state.tree), roots: state.tree.edus.map((_, at) => at) } : state.tree;
    this.drawing.own = true;
    this.drawing.show(tree, new Set());
    if (!this.fitted) { this.drawing.fit(); this.fitted = true; }
    let told;
    try { told = await call("suggest", { id: work.id, window: windowId }); } catch (error) { work.app.fail(error); return; }
    this.told = told;
    const top = told.stack.slice(-2);
    const marks = new Map();
    for (const span of top) marks.set(key(span), "asked");
    if (told.next) marks.set(key([told.next, told.next]), "source");
    this.drawing.paintMarks(marks);
    const sight = told.next ? [told.next, told.next] : top[top.length - 1];
    if (sight) this.drawing.select(sight);
    this.paint();
  }

  leave() { this.drawing.resize.disconnect(); }

  name(one) { return one.action === "shift" ? t("act_shift") : `${this.work.app.relationName(one.relation)} ${one.roles}`; }

  paint() {
    const { work, told } = this;
    const { state } = work;
    const text = (span) => state.tree.edus.slice(span[0] - 1, span[1]).map((edu) => edu.text).join("");
    const shown = told.suggestions.slice(0, SHOWN);
    const top = told.stack.slice(-2);
    const finished = state.complete && state.basis === "label";
    put(this.board,
      h("div", { class: "configuration" },
        h("div", {}, h("span", { class: "cap" }, t("stack")), top.map((span, i) => h("p", { class: "item", lang: "zh-CN" }, h("span", { class: "number" }, `${"AB"[top.length === 2 ? i : 1]} ${range(span)}`), " ", text(span).slice(0, 160)))),
        h("div", {}, h("span", { class: "cap" }, t("next")), told.next ? h("p", { class: "item", lang: "zh-CN" }, h("span", { class: "number" }, `C ${told.next}`), " ", text([told.next, told.next])) : "—")),
      finished ? h("p", { class: "good" }, t("finishedSteps")) : h("div", { class: "suggestions", role: "listbox", "aria-label": t("proposal"), tabindex: "0", "aria-activedescendant": shown.length ? `suggestion-${this.at}` : null },
        shown.map((one, i) => h("div", { class: "option", role: "option", id: `suggestion-${i}`, "aria-selected": String(i === this.at), onclick: () => { this.at = i; this.accept(); } },
          h("span", { class: "name" }, this.name(one)), h("span", { class: "share" }, percent(one.probability)), one.rule ? h("small", {}, t("suggestedBy", one.rule)) : null))),
      h("div", { class: "buttons" },
        finished ? null : h("button", { class: "primary", id: "accept", disabled: Boolean(state.busy), onclick: () => this.accept() }, t("accept"), h("kbd", {}, "↵")),
        finished || told.stack.length < 2 ? null : h("button", { onclick: () => this.other() }, t("otherRelation"), h("kbd", {}, "R")),
        h("button", { disabled: Boolean(state.busy) || (state.basis === "parse"), id: "start-over", onclick: () => work.act("clear") }, t("startOver"))),
      h("p", { class: "hint" }, t("stepsHelp")));
  }

  async accept() {
    const one = this.told?.suggestions[this.at];
    if (!one || (this.work.state.complete && this.work.state.basis === "label")) return;
    await this.do(one);
  }

  async do(one) {
    await this.work.act(one.action === "shift" ? "shift" : { reduce: { relation: one.relation, roles: one.roles } });
  }

  async other() {
    const { told, work } = this;
    if (told.stack.length < 2) return;
    const [left, right] = told.stack.slice(-2);
    const total = told.suggestions.filter((one) => one.action === "reduce");
    const picked = await pickRelation(work.app, { left, right, proposals: total });
    if (picked) await work.act({ reduce: picked });
  }

  onkey(event, does) {
    const many = Math.min(SHOWN, this.told?.suggestions.length ?? 0);
    switch (event.key.length === 1 ? event.key.toLowerCase() : event.key) {
      case "Enter": return does(() => this.accept());
      case "ArrowDown": return does(() => { this.at = Math.min(many - 1, this.at + 1); this.paint(); });
      case "ArrowUp": return does(() => { this.at = Math.max(0, this.at - 1); this.paint(); });
      case "s": return does(() => this.work.act("shift"));
      case "r": return does(() => this.other());
      case "u": case "z": case "Backspace": return does(() => this.work.undo());
      case "y": return does(() => this.work.redo());
      case "w": return does(() => this.work.panel("why"));
      default: return undefined;
    }
  }
}

function leaves(tree) { return tree.edus.map((_, at) => ({ span: [at + 1, at + 1] })); }

// The grammar's own way through the text, forward and back.
export class WatchMode {
  constructor(work) {
    this.work = work;
    this.step = 1;
    this.drawing = new Drawing({ select: (span) => work.choose(span, false) }, { label: (name) => work.app.relationName(name), calm: true });
    this.board = h("section", { class: "board", "aria-label": t("mode_watch") });
    this.element = h("div", { class: "mode" }, this.board, this.drawing.element);
  }

  async update(first) {
    if (!first && this.rows) return;
    try { ({ rows: this.rows } = await call("steps", { id: this.work.id, window: windowId })); } catch (error) { this.work.app.fail(error); return; }
    this.step = Math.min(this.step, this.rows.length || 1);
    this.go(this.step, true);
  }

  leave() { this.drawing.resize.disconnect(); }

  // What stands after so many steps, from the rows alone.
  standing(count) {
    const { edus } = this.work.state.tree;
    const nodes = edus.map((_, at) => ({ span: [at + 1, at + 1] }));
    let stack = [], next = 0;
    for (const row of this.rows.slice(0, count)) {
      if (row.action === "shift") { stack.push(next); next += 1; continue; }
      const right = stack.pop(), left = stack.pop();
      nodes.push({ span: [nodes[left].span[0], nodes[right].span[1]], children: [left, right], roles: row.roles, relation: row.made.relation || "", probability: row.probability });
      stack.push(nodes.length - 1);
    }
    const waiting = edus.map((_, at) => at).slice(next);
    return { edus, nodes, roots: [...stack, ...waiting], shifted: stack.length };
  }

  go(step, first = false) {
    this.step = Math.max(1, Math.min(this.rows.length, step));
    this.forced = null;
    this.options = null;
    this.drawing.show(this.standing(this.step), new Set());
    if (first) this.drawing.fit();
    const row = this.rows[this.step - 1];
    if (row) {
      const [from, to = from] = row.made.edus.split("-").map(Number);
      this.work.selected = [from, to];
      this.drawing.select([from, to]);
    }
    this.paint();
    this.askOptions();
  }

  async askOptions() {
    const { step } = this;
    const own = this.rows[step - 1];
    if (!own || own.forced) return;
    try {
      // The step itself, done again, tells what else there was.
      const told = await call("force", { id: this.work.id, step, shift: own.action === "shift", choice: 0 });
      if (this.step === step && !this.forced) { this.options = told.options; this.paint(); }
    } catch { /* nothing else could be done */ }
  }

  paint() {
    const row = this.rows[this.step - 1];
    if (!row) { put(this.board, h("p", {}, "—")); return; }
    const { app } = this.work;
    const reductions = (this.options || []).filter((one) => one.action === "reduce");
    const isOwn = (one) => (one.action === "shift" ? row.action === "shift" : row.action === "reduce" && one.relation === row.made.relation && one.roles === row.roles);
    put(this.board,
      h("div", { class: "stepper" },
        h("button", { id: "step-back", onclick: () => this.go(this.step - 1), disabled: this.step <= 1, "aria-label": t("back") }, "◀"),
        h("input", { type: "range", min: "1", max: String(this.rows.length), value: String(this.step), "aria-label": t("step"), oninput: (event) => this.go(Number(event.target.value)) }),
        h("button", { id: "step-forward", onclick: () => this.go(this.step + 1), disabled: this.step >= this.rows.length, "aria-label": t("forward") }, "▶"),
        h("span", {}, `${this.step} / ${this.rows.length}`)),
      h("p", {}, h("strong", {}, row.action === "shift" ? t("act_shift") : `${app.relationName(row.made.relation)} ${row.roles}`), ` ${row.made.edus} `, h("span", { class: "share" }, percent(row.probability)), " ", row.by.length ? row.by.map((by) => h("button", { class: "link", onclick: () => this.work.showRule(by) }, by)) : null, row.forced ? h("span", { class: "hint" }, t("forcedStep")) : null),
      this.options && this.options.length > 1 ? h("div", { class: "force" }, h("span", { class: "cap" }, t("force")), this.options.slice(0, 8).filter((one) => !isOwn(one)).map((one) => h("button", { class: "choice", onclick: () => this.force(one, reductions.indexOf(one)) }, one.action === "shift" ? t("act_shift") : `${app.relationName(one.relation)} ${one.roles}`, " ", h("span", { class: "share" }, percent(one.probability))))) : null,
      this.forced ? h("p", { class: "banner" }, t("forced"), " ", h("button", { onclick: () => this.go(this.step) }, t("realTree")), " ", h("button", { onclick: () => this.takeForced() }, t("takeForced"))) : null,
      h("button", { class: "link", onclick: () => { this.work.shown = "why"; this.work.panel("why"); } }, t("why")));
  }

  async force(one, choice) {
    try {
      this.forced = await call("force", { id: this.work.id, step: this.step, shift: one.action === "shift", choice: Math.max(0, choice) });
      this.drawing.show(this.forced.tree, new Set());
      const own = new Set(this.work.state.tree.nodes.map((node) => `${key(node.span)} ${node.relation} ${node.roles}`));
      const marks = new Map();
      for (const node of this.forced.tree.nodes) if (node.children?.length && !own.has(`${key(node.span)} ${node.relation} ${node.roles}`)) marks.set(key(node.span), "differs");
      this.drawing.paintMarks(marks);
      this.paint();
    } catch (error) { this.work.app.fail(error); }
  }

  async takeForced() {
    const { tree } = this.forced;
    if (await this.work.act({ edit: { take: { over: [1, tree.edus.length], steps: stepsOf(tree, tree.roots[0]) } } })) { toast(t("takenInto", this.work.state.annotator)); this.work.enter("edit"); }
  }

  onkey(event, does) {
    if (event.key === "ArrowRight") does(() => this.go(this.step + 1));
    if (event.key === "ArrowLeft") does(() => this.go(this.step - 1));
    if (event.key === "Home") does(() => this.go(1));
    if (event.key === "End") does(() => this.go(this.rows.length));
    if (event.key === "w") does(() => this.work.panel("why"));
  }
}

// The shifts and reductions that make a node, to take it over.
export function stepsOf(tree, root) {
  const steps = [];
  const pending = [{ at: root, done: false }];
  while (pending.length) {
    const { at, done } = pending.pop();
    const node = tree.nodes[at];
    if (!node.children?.length) { steps.push("shift"); continue; }
    if (done) {
      const roles = node.roles.length > 2 ? "NN" : node.roles;
      for (let i = 1; i < node.children.length; i += 1) steps.push({ reduce: { roles, relation: node.relation } });
      continue;
    }
    pending.push({ at, done: true });
    for (let i = node.children.length - 1; i >= 0; i -= 1) pending.push({ at: node.children[i], done: false });
  }
  return steps;
}
