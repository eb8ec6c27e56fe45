// A summary of the chosen texts; each line opens its text at its node.

import { call } from "./api.js";
import { h, put } from "./dom.js";
import { t } from "./words.js";

export class SummaryPage {
  constructor(app) { this.app = app; }

  async show(main) {
    const ids = [...this.app.chosen];
    if (!ids.length) { put(main, h("p", { class: "empty" }, t("chooseTexts"), " ", h("a", { href: "#/texts" }, t("texts")))); return; }
    const length = h("input", { type: "text", id: "length", value: this.app.summaryLength || "10", "aria-label": t("length") });
    const out = h("div", { class: "summary-lines" });
    const go = async (event) => {
      event?.preventDefault();
      this.app.summaryLength = length.value.trim();
      put(out, h("p", { class: "hint", role: "status" }, t("computing")));
      try { put(out, this.lines(await call("summary", { ids, length: length.value.trim() }))); } catch (error) { put(out, h("p", { class: "bad", role: "alert" }, error.message)); }
    };
    put(main, h("form", { class: "bar", onsubmit: go }, h("strong", {}, t("chosen", ids.length)), h("label", {}, t("length"), " ", length), h("button", { class: "primary", id: "summarize", type: "submit" }, t("summarize"))), out);
    await go();
  }

  lines(summary) {
    const against = (at) => summary.contradictions?.filter((one) => one.line === at) || [];
    return h("ol", {}, summary.lines.map((line, at) => {
      const [from, to] = line.edus[0];
      const span = to - from > 1 ? `${from + 1}-${to}` : `${from + 1}-${from + 1}`;
      return h("li", {},
        h("a", { href: `#/text/${encodeURIComponent(line.doc)}/${span}`, lang: "zh-CN", class: "line-text" }, line.text),
        h("small", {}, ` ${line.title || line.doc}${line.date ? ` · ${line.date}` : ""}`),
        line.path?.length ? h("small", { class: "path" }, line.path.map((step) => `${step.role}${step.relation ? ` ${this.app.relationName(step.relation)}` : ""}`).join(" › ")) : null,
        against(at).map((one) => h("p", { class: "bad" }, t("contradicts", one.doc), ": ", h("a", { href: `#/text/${encodeURIComponent(one.doc)}/${one.edu + 1}-${one.edu + 1}`, lang: "zh-CN" }, one.text))));
    }));
  }
}
