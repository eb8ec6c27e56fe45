// One text: its tree, what is done to it, and what stands beside it.

import { call, Refused, windowId } from "./api.js";
import { dialog, h, key, percent, put, range, toast } from "./dom.js";
import { t } from "./words.js";
import { Drawing } from "./draw.js";
import { Outline } from "./outline.js";
import { exportDialog } from "./texts.js";
import { pickRelation } from "./picker.js";
import { historyPanel, nodePanel, remarksPanel, rulePanel, rulesPanel, warningsPanel, whyPanel } from "./panel.js";
import { StepsMode, WatchMode } from "./steps.js";
import { QuestionsMode } from "./questions.js";
import { CompareMode } from "./compare.js";

const LOOK = 2500;
// Longer trees begin folded; what is inside of a node unfolds when somebody asks.
const LONG = 60;

export class Workspace {
  constructor(app, id, chosen) {
    this.app = app;
    this.id = id;
    this.selected = chosen ? chosen.split("-").map(Number) : null;
    this.folded = new Set();
    this.mode = "edit";
    this.shown = "node";
    this.drags = Promise.resolve();
  }

  async show(main) {
    this.main = main;
    this.take(await call("open", { id: this.id, window: windowId }));
    const on = {
      select: (span) => this.choose(span, false),
      open: (span, label) => { this.choose(span, false); const node = this.node(span); if (node?.children?.length) { if (this.folded.has(key(span))) this.fold(); else this.relate(); } else if (!label) this.cut(); },
      drop: (span, target) => this.attach(span, target),
      fold: (span) => { this.choose(span, false); this.fold(); },
    };
    const label = (name) => this.app.relationName(name);
    this.drawing = new Drawing(on, { label });
    this.outline = new Outline(on, { label });
    this.view = this.drawing;
    this.title = h("h1", { class: "title", lang: "zh-CN" });
    this.status = h("span", { class: "status", role: "status", id: "status" });
    this.tools = h("div", { class: "tools", role: "toolbar", "aria-label": t("edit") });
    this.hint = h("p", { class: "banner", role: "status", hidden: true });
    this.stage = h("div", { class: "stage" });
    this.tabs = h("div", { class: "tabs", role: "tablist" });
    this.side = h("div", { class: "side-body", role: "tabpanel", id: "side-body", tabindex: "0" });
    this.aside = h("aside", { class: "side", "aria-label": t("edit") }, this.tabs, this.side);
    put(main, h("div", { class: "head" }, h("a", { class: "backlink", href: "#/texts", "aria-label": t("texts"), title: t("texts") }, "‹"), this.title, this.status), this.tools, this.hint, h("div", { class: "desk" }, this.stage, this.aside));
    put(this.stage, this.drawing.element);
    if (this.app.list) this.toggleList(true);
    if (this.state.tree.edus.length > LONG) this.foldLong();
    this.render(true);
    if (this.selected) this.choose(this.selected);
    else this.choose(this.rootSpan(), false);
    this.view.element.querySelector("svg.tree, .outline")?.focus?.({ preventScroll: true });
    if (!this.state.tree.edus.length) { put(this.hint, t("noEdus")); this.hint.hidden = false; }
    this.timer = setInterval(() => this.look(), LOOK);
    this.gone = () => { call("close", { id: this.id, window: windowId }, { keepalive: true }).catch(() => {}); };
    window.addEventListener("pagehide", this.gone);
  }

  async leave() {
    clearInterval(this.timer);
    window.removeEventListener("pagehide", this.gone);
    this.drawing?.resize?.disconnect();
    call("close", { id: this.id, window: windowId }).catch(() => {});
  }

  take(state) {
    this.state = state;
    this.index = new Map();
    this.parents = new Map();
    state.tree.nodes.forEach((node) => {
      this.index.set(key(node.span), node);
      for (const child of node.children || []) this.parents.set(key(state.tree.nodes[child].span), node);
    });
  }

  node(span) { return span ? this.index.get(key(span)) : undefined; }
  parentOf(span) { return span ? this.parents.get(key(span)) : undefined; }
  rootSpan() { const { roots, nodes } = this.state.tree; return roots.length ? nodes[roots[0]].span : null; }

  render(first = false) {
    const { state } = this;
    this.title.textContent = state.title;
    const done = state.complete || state.basis === "parse";
    put(this.status,
      state.busy ? h("span", { class: "state disputed", title: `${state.busy}\n${t("busyHelp")}` }, t("readOnly")) : null,
      state.basis === "parse" ? h("span", { class: "hint" }, t("parseBasis")) : h("span", { class: `state ${state.complete ? "done" : "work"}` }, done ? t("complete") : t("unfinished", ...state.progress)),
      state.basis === "label" ? h("span", { class: "hint" }, t("nameIn", state.annotator)) : null,
      state.confidence !== null ? h("span", { class: "hint", title: t("confidence") }, `${t("confidence")} ${percent(state.confidence)}`) : null,
      state.warnings.length ? h("button", { class: "warn", onclick: () => this.panel("warnings"), "aria-label": `${t("warnings")}: ${state.warnings.length}` }, `⚠ ${state.warnings.length}`) : null);
    this.toolbar();
    if (this.modeView) this.modeView.update(first);
    else {
      this.view.own = state.basis === "label";
      this.drawing.adorn(state);
      this.view.show(state.tree, this.folded);
      if (first) this.view.fit();
      this.marks();
      this.view.select(this.selected, { into: false });
    }
    this.panel(this.shown);
    for (const line of first ? state.said : []) toast(line);
  }

  marks() {
    const marks = new Map();
    const add = (span, name) => marks.set(key(span), `${marks.get(key(span)) || ""} ${name}`);
    for (const warning of this.state.warnings) add(warning.span, "warned");
    if (this.attaching) add(this.attaching, "source");
    this.view.paintMarks(marks);
  }

  toolbar() {
    const { state } = this;
    const button = (word, act, icon, off = false, pressed = null) => h("button", { title: t(word), "aria-label": t(word), disabled: off, "aria-pressed": pressed === null ? null : String(pressed), data: { tool: word }, onclick: act }, icon || t(word));
    const mode = (name) => h("button", { class: "tab", role: "radio", "aria-checked": String(this.mode === name), data: { mode: name }, onclick: () => this.enter(name) }, t(`mode_${name}`));
    const focused = document.activeElement?.dataset?.tool || document.activeElement?.dataset?.mode;
    put(this.tools,
      h("span", { class: "modes", role: "radiogroup", "aria-label": t("mode") }, ["edit", "steps", "ask", "watch", "compare"].map(mode)),
      h("span", { class: "group" }, button("undo", () => this.undo(), "↶", state.undo_redo[0] === 0 || Boolean(state.busy)), button("redo", () => this.redo(), "↷", state.undo_redo[1] === 0 || Boolean(state.busy))),
      this.mode === "edit" ? h("span", { class: "group" },
        button("list", () => this.toggleList(), "≣", false, this.view === this.outline),
        button("zoomOut", () => this.view.scale(this.view.zoom / 1.2), "−", this.view === this.outline), button("zoomIn", () => this.view.scale(this.view.zoom * 1.2), "+", this.view === this.outline), button("fit", () => this.view.fit(), "⤢", this.view === this.outline),
        button("foldAll", () => this.foldAll(), "▸", false), button("unfold", () => { this.folded.clear(); this.redraw(); }, "▾", this.folded.size === 0)) : null,
      h("span", { class: "space" }),
      button("export", () => exportDialog(this.app, [this.id], true)));
    if (focused) this.tools.querySelector(`[data-tool="${focused}"], [data-mode="${focused}"]`)?.focus();
  }

  // Tabs of the side, and what stands under the one that is open.
  panel(name) {
    const names = ["node", "why", "rules", "warnings", "remarks", "history"];
    const words = { node: "edit", why: "why", rules: "rules", warnings: "warnings", remarks: "notes", history: "history" };
    this.shown = name;
    const tab = (one) => h("button", { role: "tab", id: `tab-${one}`, "aria-selected": String(one === name), "aria-controls": "side-body", tabindex: one === name ? "0" : "-1", onclick: () => this.panel(one), onkeydown: (event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (!step) return;
      event.stopPropagation();
      this.panel(names[(names.indexOf(name) + step + names.length) % names.length]);
      this.tabs.querySelector('[aria-selected="true"]').focus();
    } }, one === "warnings" && this.state.warnings.length ? `${t(words[one])} ${this.state.warnings.length}` : t(words[one]));
    put(this.tabs, names.map(tab));
    this.side.setAttribute("aria-labelledby", `tab-${name}`);
    if (name === "node") put(this.side, nodePanel(this));
    else if (name === "rules") { if (!this.fixes) rulesPanel(this, this.side); else put(this.side, this.fixes); }
    else if (name === "warnings") put(this.side, warningsPanel(this));
    else if (name === "history") put(this.side, historyPanel(this));
    else if (name === "remarks") put(this.side, remarksPanel(this));
    else if (this.selected) whyPanel(this, this.side, { node: this.selected });
    else put(this.side, h("p", { class: "hint" }, t("choose")));
  }

  showRule(rule) { this.shown = "why"; rulePanel(this, this.side, rule); }

  choose(span, into = true) {
    if (!span) return;
    if (this.attaching && this.picking) { this.finishAttach(span); return; }
    this.selected = span;
    // What is folded away unfolds.
    let open = false;
    if (this.node(span)) for (let above = this.parentOf(span); above; above = this.parentOf(above.span)) if (this.folded.delete(key(above.span))) open = true;
    if (open) this.redraw();
    (this.modeView?.drawing || this.view).select(span, { into });
    if (["node", "why", "remarks"].includes(this.shown)) this.panel(this.shown);
  }

  redraw() { this.view.show(this.state.tree, this.folded); this.marks(); this.view.select(this.selected, { into: false }); this.toolbar(); }

  fold() {
    const node = this.node(this.selected);
    if (!node?.children?.length) return;
    const own = key(node.span);
    if (!this.folded.delete(own)) this.folded.add(own);
    this.redraw();
    this.view.select(this.selected);
  }

  foldAll() { this.foldLong(); this.redraw(); this.view.fit(); }

  // Folds the largest nodes that are no more than a tenth of the text, and no more than a dozen EDUs.
  foldLong() {
    const { nodes, edus } = this.state.tree;
    const most = Math.min(12, Math.max(3, Math.ceil(edus.length / 10)));
    this.folded = new Set();
    for (const node of nodes) {
      const size = node.span[1] - node.span[0] + 1;
      const above = this.parents.get(key(node.span));
      if (node.children?.length && size <= most && (!above || above.span[1] - above.span[0] + 1 > most)) this.folded.add(key(node.span));
    }
  }

  toggleList(force) {
    const list = force ?? this.view !== this.outline;
    this.app.list = list;
    this.view = list ? this.outline : this.drawing;
    put(this.stage, this.view.element);
    this.redraw();
    if (!list) this.view.fit();
    this.view.select(this.selected);
    this.view.element.querySelector("svg.tree, .outline")?.focus({ preventScroll: true });
  }

  // Everything that changes the text goes through here: it is shown when it is on disk.
  async act(act, then) {
    const before = performance.now();
    const previous = this.drags;
    let free;
    this.drags = new Promise((resolve) => { free = resolve; });
    await previous;
    try {
      const state = await call("act", { id: this.id, window: windowId, version: this.state.version, act });
      this.take(state);
      this.fixes = null;
      const span = then ?? this.selected;
      if (span && this.node(span)) this.selected = span;
      else if (!this.node(this.selected)) this.selected = this.nearest(span || this.selected);
      this.render();
      (this.modeView?.drawing || this.view).select(this.selected);
      window.arsg = { lastEdit: performance.now() - before };
      return true;
    } catch (error) {
      if (error instanceof Refused && error.kind === "behind") { await this.reload(); toast(t("behind"), "error"); } else this.app.fail(error);
      return false;
    } finally { free(); }
  }

  // The smallest node around EDUs that are no node any more.
  nearest(span) {
    let best = null;
    for (const node of this.state.tree.nodes) if (span && node.span[0] <= span[0] && node.span[1] >= span[1] && (!best || node.span[1] - node.span[0] < best[1] - best[0])) best = node.span;
    return best || this.rootSpan();
  }

  async reload() { this.take(await call("open", { id: this.id, window: windowId })); if (!this.node(this.selected)) this.selected = this.nearest(this.selected); this.render(); }

  async look() {
    if (document.hidden) return;
    try {
      const { version } = await call("look", { id: this.id, window: windowId });
      if (this.offline) { this.offline = false; this.hint.hidden = true; await this.reload(); }
      if (version !== this.state.version && !document.querySelector("dialog")) { await this.reload(); toast(t("otherWindow")); }
      else if (this.state.busy) await this.reload();
    } catch (error) {
      if (error.kind === "offline" && !this.offline) { this.offline = true; put(this.hint, t("offline")); this.hint.hidden = false; }
    }
  }

  async propose(node, to) { try { return await call("propose", { id: this.id, node, ...(to ? { to } : {}) }); } catch (error) { this.app.fail(error); return null; } }

  async relate() {
    const node = this.node(this.selected);
    if (!node?.children?.length || this.state.busy) return;
    const told = await this.propose(node.span);
    if (!told) return;
    const picked = await pickRelation(this.app, { left: told.left, right: told.right, proposals: told.proposals, now: { relation: node.relation, roles: node.roles.length > 2 ? "NN" : node.roles } });
    if (picked) await this.act({ edit: { relate: { node: node.span, ...picked } } });
  }

  // The next nuclearity; the relation follows where it cannot have that.
  async turn() {
    const node = this.node(this.selected);
    if (!node?.children?.length || this.state.busy) return;
    const now = node.roles.length > 2 ? "NN" : node.roles;
    const roles = { NS: "SN", SN: "NN", NN: "NS" }[now];
    const kind = this.app.relations.get(node.relation)?.kind;
    if ((kind === "multinuc") === (roles === "NN")) { await this.act({ edit: { relate: { node: node.span, relation: node.relation, roles } } }); return; }
    const told = await this.propose(node.span);
    const fits = told?.proposals.find((one) => one.roles === roles);
    const any = [...this.app.relations.values()].find((one) => (one.kind === "multinuc") === (roles === "NN"));
    const relation = fits?.relation || any?.name;
    if (relation) await this.act({ edit: { relate: { node: node.span, relation, roles } } });
  }

  async attach(node, to) {
    if (this.state.busy) return;
    const told = await this.propose(node, to);
    if (!told) return;
    const isLeft = key(told.left) === key(node);
    const fixed = [isLeft ? "SN" : "NS", "NN"];
    const proposals = told.proposals.filter((one) => fixed.includes(one.roles));
    const picked = await pickRelation(this.app, { left: told.left, right: told.right, proposals: proposals.length ? proposals : told.proposals, fixed });
    if (!picked) return;
    const role = picked.roles === "NN" ? "N" : "S";
    await this.act({ edit: { attach: { node, to, role, relation: picked.relation } } }, [told.left[0], told.right[1]]);
  }

  beginAttach() {
    if (!this.selected || this.state.busy || this.mode !== "edit") return;
    this.attaching = this.selected;
    this.picking = false;
    put(this.hint, t("attachTo", range(this.attaching)));
    this.hint.hidden = false;
    this.picking = true;
    this.target = this.selected;
    this.marks();
    this.view.element.querySelector("svg.tree, .outline")?.focus({ preventScroll: true });
  }

  endAttach() { this.attaching = null; this.picking = false; this.hint.hidden = true; this.marks(); }

  async finishAttach(span) {
    const node = this.attaching;
    this.endAttach();
    if (key(node) !== key(span)) await this.attach(node, span);
  }

  async raise() {
    const above = this.parentOf(this.selected), top = above && this.parentOf(above.span);
    if (!top) return;
    await this.attach(this.selected, top.span);
  }

  async lower() {
    // Onto the part of its neighbour that stands next to it.
    const above = this.parentOf(this.selected);
    if (!above) return;
    const { nodes } = this.state.tree;
    const siblings = above.children.map((at) => nodes[at]);
    const at = siblings.findIndex((node) => key(node.span) === key(this.selected));
    const neighbour = siblings[at - 1] || siblings[at + 1];
    if (!neighbour?.children?.length) { toast(t("unattachedNext")); return; }
    const before = neighbour.span[1] < this.selected[0];
    const inner = neighbour.children.map((child) => nodes[child]);
    await this.attach(this.selected, (before ? inner[inner.length - 1] : inner[0]).span);
  }

  async multinuc() {
    if (!this.selected || this.state.busy) return;
    const above = this.parentOf(this.selected);
    if (above) {
      const told = await this.propose(above.span);
      if (!told) return;
      const picked = await pickRelation(this.app, { left: told.left, right: told.right, proposals: told.proposals.filter((one) => one.roles === "NN"), fixed: ["NN"], multinuc: true });
      if (picked) await this.act({ edit: { relate: { node: above.span, relation: picked.relation, roles: "NN" } } });
      return;
    }
    const { roots, nodes } = this.state.tree;
    const spans = roots.map((at) => nodes[at].span);
    const at = spans.findIndex((span) => key(span) === key(this.selected));
    const next = spans[at + 1] || spans[at - 1];
    if (!next) { toast(t("unattachedNext")); return; }
    const told = await this.propose(next, this.selected);
    if (!told) return;
    const picked = await pickRelation(this.app, { left: told.left, right: told.right, proposals: told.proposals.filter((one) => one.roles === "NN"), fixed: ["NN"], multinuc: true });
    if (picked) await this.act({ edit: { attach: { node: next, to: this.selected, role: "N", relation: picked.relation } } }, [told.left[0], told.right[1]]);
  }

  async unlink() { if (this.parentOf(this.selected)) await this.act({ edit: { unlink: { node: this.selected } } }); }
  async undo() { if (this.state.undo_redo[0]) await this.act("undo"); }
  async redo() { if (this.state.undo_redo[1]) await this.act("redo"); }
  async unite() { const [edu, last] = this.selected || []; if (edu === last) await this.act({ edit: { unite: { edu } } }, [edu, edu]); }

  // Where to cut an EDU: between any two letters.
  cut() {
    const span = this.selected;
    if (!span || span[0] !== span[1] || this.state.busy) return;
    const letters = [...this.state.tree.edus[span[0] - 1].text];
    if (letters.length < 2) return;
    let at = Math.max(1, letters.findIndex((c, i) => i > 0 && i < letters.length - 1 && "，；：、,;:".includes(c)) + 1 || Math.floor(letters.length / 2));
    dialog(t("cut"), (close) => {
      const line = h("div", { class: "letters", id: "letters", tabindex: "0", lang: "zh-CN", role: "slider", "aria-label": t("cut"), "aria-valuemin": 1, "aria-valuemax": letters.length - 1 });
      const paint = () => {
        line.setAttribute("aria-valuenow", at);
        line.setAttribute("aria-valuetext", `${letters.slice(0, at).join("")} | ${letters.slice(at).join("")}`);
        put(line, letters.map((c, i) => h("span", { class: i === at ? "letter here" : "letter", data: { at: i } }, c)));
      };
      const go = async () => {
        close();
        const share = { roles: "NN", relation: "same-unit" };
        const told = await this.halves(span, at);
        await this.act({ edit: { cut: { edu: span[0], at, ...(told || share) } } }, [span[0], span[0]]);
      };
      line.addEventListener("click", (event) => { const own = event.target.dataset.at; if (own !== undefined) { const box = event.target.getBoundingClientRect(); at = Math.max(1, Math.min(letters.length - 1, Number(own) + (event.clientX > box.left + box.width / 2 ? 1 : 0))); paint(); } });
      line.addEventListener("keydown", (event) => {
        const step = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -10, ArrowDown: 10, Home: -1e6, End: 1e6 }[event.key];
        if (step) { event.preventDefault(); at = Math.max(1, Math.min(letters.length - 1, at + step)); paint(); }
        if (event.key === "Enter") { event.preventDefault(); go(); }
      });
      paint();
      requestAnimationFrame(() => line.focus());
      return [h("p", {}, t("cutHelp"), " ", t("firstHalf")), line, h("div", { class: "buttons" }, h("button", { class: "primary", id: "cut-go", onclick: go }, t("cutHere")), h("button", { onclick: close }, t("cancel")))];
    }, { wide: true });
  }

  // What the halves become: a list unless the schema calls it something else.
  async halves() {
    for (const name of ["same-unit", "joint-sequence", "joint-list"]) if (this.app.relations.has(name)) return { relation: name, roles: this.app.relations.get(name).kind === "multinuc" ? "NN" : "NS" };
    const [first] = this.app.relations.values();
    return first ? { relation: first.name, roles: first.kind === "multinuc" ? "NN" : "NS" } : null;
  }

  note() {
    const span = this.selected;
    if (!span || this.state.busy) return;
    const old = this.state.notes.find((note) => key(note.span) === key(span))?.text || "";
    dialog(`${t("note")} ${range(span)}`, (close) => {
      const text = h("textarea", { id: "note-text", rows: "5", "aria-label": t("noteHelp"), value: old });
      const done = async (event) => { event.preventDefault(); close(); await this.act({ remark: { note: { span, text: text.value.trim() } } }); };
      return h("form", { onsubmit: done }, text, h("div", { class: "buttons" }, h("button", { type: "submit", class: "primary" }, t("save")), h("button", { type: "button", onclick: close }, t("cancel"))));
    });
  }

  enter(mode) {
    if (this.mode === mode) return;
    this.modeView?.leave?.();
    this.modeView = null;
    this.endAttach();
    this.mode = mode;
    const modes = { steps: StepsMode, ask: QuestionsMode, watch: WatchMode, compare: CompareMode };
    if (modes[mode]) {
      this.modeView = new modes[mode](this);
      put(this.stage, this.modeView.element);
      this.toolbar();
      this.modeView.update(true);
    } else {
      put(this.stage, this.view.element);
      this.render();
      this.view.fit();
    }
    this.panel(this.shown);
  }

  onkey(event) {
    const { key: pressed, altKey, ctrlKey, metaKey, shiftKey } = event;
    const does = (act) => { event.preventDefault(); act(); };
    const inControl = event.target.closest?.("button, a, summary") && [" ", "Enter"].includes(pressed);
    if (inControl) return;
    if (ctrlKey || metaKey) {
      if (pressed.toLowerCase() === "z") does(() => (shiftKey ? this.redo() : this.undo()));
      if (pressed.toLowerCase() === "y") does(() => this.redo());
      return;
    }
    if (["1", "2", "3", "4", "5"].includes(pressed)) return does(() => this.enter(["edit", "steps", "ask", "watch", "compare"][Number(pressed) - 1]));
    if (this.modeView) { this.modeView.onkey?.(event, does); return; }
    const inTree = !event.target.closest?.(".side");
    const arrows = { ArrowLeft: "left", ArrowRight: "right", ArrowUp: "up", ArrowDown: "down" };
    if (altKey) {
      if (pressed === "ArrowUp") does(() => this.raise());
      if (pressed === "ArrowDown") does(() => this.lower());
      return;
    }
    if (arrows[pressed] && inTree) return does(() => this.walk(arrows[pressed]));
    if (this.picking) {
      if (pressed === "Enter") return does(() => this.finishAttach(this.target));
      if (pressed === "Escape") return does(() => { this.selected = this.attaching; this.endAttach(); this.view.select(this.selected); });
    }
    switch (pressed.length === 1 ? pressed.toLowerCase() : pressed) {
      case "Home": return does(() => this.choose([1, 1]));
      case "End": return does(() => this.choose([this.state.tree.edus.length, this.state.tree.edus.length]));
      case "Enter": case "r": return does(() => { if (this.node(this.selected)?.children?.length) this.relate(); else if (this.parentOf(this.selected)) { this.choose(this.parentOf(this.selected).span); this.relate(); } });
      case "n": return does(() => this.turn());
      case "a": return does(() => this.beginAttach());
      case "m": return does(() => this.multinuc());
      case "x": case "Delete": return does(() => this.unlink());
      case "c": return does(() => this.cut());
      case "j": return does(() => this.unite());
      case "z": case "u": return does(() => this.undo());
      case "y": return does(() => this.redo());
      case " ": return does(() => this.fold());
      case "w": return does(() => this.panel("why"));
      case "e": return does(() => this.panel("node"));
      case "t": return does(() => this.note());
      case "l": return does(() => this.toggleList());
      case "+": case "=": return does(() => this.view.scale(this.view.zoom * 1.2));
      case "-": return does(() => this.view.scale(this.view.zoom / 1.2));
      case "0": return does(() => this.view.fit());
      default: return undefined;
    }
  }

  walk(direction) {
    const from = this.picking ? this.target : this.selected;
    const next = from ? this.view.toward(from, direction) : this.rootSpan();
    if (!next) return;
    if (this.picking) { this.target = next; this.view.select(next); return; }
    this.choose(next);
  }
}
