// Questions instead of drawing: the most divisive first, until one tree is left.

import { call, windowId } from "./api.js";
import { h, key, percent, put, range } from "./dom.js";
import { t } from "./words.js";
import { Drawing } from "./draw.js";

export class QuestionsMode {
  constructor(work) {
    this.work = work;
    this.skipped = new Set();
    this.drawing = new Drawing({ select: (span) => work.choose(span, false) }, { label: (name) => work.app.relationName(name) });
    this.board = h("section", { class: "board", "aria-label": t("mode_ask"), "aria-live": "polite" });
    this.element = h("div", { class: "mode" }, this.board, this.drawing.element);
  }

  leave() { this.drawing.resize.disconnect(); }

  async update(first) {
    const { work } = this;
    if (first) put(this.board, h("p", { class: "hint" }, t("parsing")));
    try { this.told = await call("questions", { id: work.id, window: windowId }); } catch (error) { work.app.fail(error); return; }
    this.question = this.told.open.find((one) => !this.skipped.has(key(one.span)));
    if (this.told.tree) {
      this.drawing.show(this.told.tree, new Set());
      if (!this.fitted) { this.drawing.fit(); this.fitted = true; }
    }
    this.marks();
    this.paint();
  }

  marks() {
    const marks = new Map();
    if (this.question) {
      const [from, to] = this.question.span;
      for (let edu = from; edu <= to; edu += 1) marks.set(key([edu, edu]), "asked");
      this.drawing.select([from, from], { into: true });
      this.drawing.select(null);
    }
    this.drawing.paintMarks(marks);
  }

  paint() {
    const { told, question, work } = this;
    const { state } = work;
    const edus = state.tree.edus;
    const around = (from, to) => edus.slice(Math.max(0, from - 1), to).map((edu) => edu.text).join("");
    const parts = [];
    if (!told.tree) parts.push(h("p", { class: "bad" }, t("askNone")));
    else if (!question) parts.push(h("p", { class: "good", id: "ask-done" }, t("askDone")));
    else {
      const [from, to] = question.span;
      parts.push(h("h2", {}, t("askTogether"), " ", h("span", { class: "number" }, range(question.span))),
        h("p", { class: "passage", lang: "zh-CN" }, h("span", { class: "beside" }, around(from - 2, from - 1)), h("mark", {}, edus.slice(from - 1, to).map((edu) => h("span", { class: "edu" }, edu.text))), h("span", { class: "beside" }, around(to + 1, to + 2))),
        h("div", { class: "buttons" },
          h("button", { class: "primary", id: "answer-yes", onclick: () => this.answer(true) }, t("yes"), h("kbd", {}, "Y")),
          h("button", { class: "primary", id: "answer-no", onclick: () => this.answer(false) }, t("no"), h("kbd", {}, "N")),
          h("button", { id: "answer-skip", onclick: () => this.skip() }, t("skip_"), h("kbd", {}, "S"))),
        h("p", { class: "hint" }, t("askShare", percent(question.share))));
    }
    if (told.tree && !state.busy) parts.push(h("div", { class: "buttons" }, h("button", { id: "take-tree", class: question ? "" : "primary", onclick: () => this.take() }, t("takeTree"), h("kbd", {}, "↵"))));
    parts.push(h("p", { class: "hint" }, t("asked", told.answers.length), " · ", t("askTrees", told.trees, told.open.length)));
    if (told.answers.length) parts.push(h("details", {}, h("summary", {}, t("answers")), h("ul", {}, told.answers.map((one) => h("li", {}, `${range(one.span)}: ${one.together ? t("yes") : t("no")} `, h("button", { class: "small", onclick: () => this.work.act({ remark: { answer: { span: one.span } } }) }, t("withdraw")))))));
    put(this.board, parts);
  }

  async answer(together) {
    if (!this.question || this.work.state.busy) return;
    await this.work.act({ remark: { answer: { span: this.question.span, together } } });
  }

  skip() {
    if (!this.question) return;
    this.skipped.add(key(this.question.span));
    this.question = this.told.open.find((one) => !this.skipped.has(key(one.span)));
    this.marks();
    this.paint();
  }

  async take() { if (await this.work.act("derive")) this.work.enter("edit"); }

  onkey(event, does) {
    switch (event.key.toLowerCase()) {
      case "y": return does(() => this.answer(true));
      case "n": return does(() => this.answer(false));
      case "s": return does(() => this.skip());
      case "enter": return does(() => this.take());
      case "z": case "u": return does(() => this.work.undo());
      default: return undefined;
    }
  }
}
