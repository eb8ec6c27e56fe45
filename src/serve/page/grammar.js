// The grammar's files: an editor with colours, problems, completion and hover; beside it what a change does.

import { call } from "./api.js";
import { h, put, toast } from "./dom.js";
import { t } from "./words.js";
import { Drawing } from "./draw.js";

const CHECK = 300;
const TOKENS = { keyword: "keyword", comment: "comment", string: "string", number: "number", class: "relation", type: "name", property: "attribute", function: "function", namespace: "name", modifier: "keyword", interface: "relation", enumMember: "string" };

export class GrammarPage {
  constructor(app, path, line) { this.app = app; this.wanted = path; this.line = Number(line) || 0; }

  async show(main) {
    const { files } = await call("files");
    if (!files.length) { put(main, h("p", { class: "empty" }, t("noGrammar"))); return; }
    this.files = files;
    this.list = h("nav", { class: "files", "aria-label": t("files") });
    this.behind = h("pre", { "aria-hidden": "true", lang: "zh-CN" });
    this.gutter = h("div", { class: "gutter", "aria-hidden": "true" });
    this.area = h("textarea", { id: "source", spellcheck: "false", wrap: "off", autocapitalize: "off", autocomplete: "off", lang: "zh-CN", "aria-label": t("grammar"), "aria-describedby": "problems" });
    this.box = h("div", { class: "editor" }, this.gutter, this.behind, this.area);
    this.saveButton = h("button", { class: "primary", id: "save-file", onclick: () => this.save() }, t("saveFile"), h("kbd", {}, "Ctrl S"));
    this.effectButton = h("button", { id: "effect", onclick: () => this.effect(), title: t("effectHelp") }, t("effect"));
    this.state = h("span", { class: "hint", role: "status" });
    this.problems = h("div", { id: "problems" });
    this.result = h("div", {});
    put(main, this.list, h("div", { class: "edit-area" }, h("div", { class: "bar" }, this.saveButton, this.effectButton, this.state), this.box), h("aside", { class: "effect", "aria-label": t("effect"), tabindex: "0" }, h("h2", { class: "title" }, t("check")), this.problems, h("h2", { class: "title" }, t("effect")), h("p", { class: "hint" }, t("effectHelp")), this.result));
    this.area.addEventListener("input", () => { this.changed(); this.offer(); });
    this.area.addEventListener("keydown", (event) => this.keys(event));
    this.area.addEventListener("blur", () => setTimeout(() => this.closePopup(), 150));
    this.area.addEventListener("mousemove", (event) => this.point(event));
    this.area.addEventListener("mouseleave", () => { clearTimeout(this.pointing); if (this.popup?.classList.contains("hover")) this.closePopup(); });
    await this.open(files.find((file) => file.path === this.wanted)?.path || files[0].path);
  }

  async leave() {
    if (this.dirty && !window.confirm(t("discard", this.path))) return false;
    clearTimeout(this.timer);
    return true;
  }

  async open(path) {
    if (this.dirty && !window.confirm(t("discard", this.path))) return;
    const { text, hash } = await call("read", { path });
    Object.assign(this, { path, hash, saved: text, dirty: false });
    this.area.value = text;
    put(this.list, h("h4", {}, t("files")), this.files.map((file) => h("button", { "aria-current": file.path === path ? "true" : null, onclick: () => this.open(file.path) }, file.path)));
    put(this.result);
    this.marks = []; this.colours = [];
    this.changed();
    if (this.line) {
      const at = text.split("\n").slice(0, this.line - 1).join("\n").length + 1;
      this.area.focus();
      this.area.setSelectionRange(at, at);
      this.box.scrollTop = Math.max(0, (this.line - 6) * 21.7);
      this.line = 0;
    }
  }

  changed() {
    const text = this.area.value;
    this.dirty = text !== this.saved;
    this.state.textContent = this.dirty ? t("unsaved") : "";
    // What was coloured before the first change keeps its colours until the library has read the new text.
    this.colour();
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.check(), CHECK);
  }

  async check() {
    const { path } = this, text = this.area.value;
    try {
      const answer = await call("check", { path, text });
      if (this.area.value !== text || this.path !== path) return;
      this.colours = answer.colours;
      this.marks = answer.problems.filter((one) => one.range && one.severity !== "hint");
      this.coloured = text;
      this.colour();
      put(this.problems, answer.problems.length ? answer.problems.slice(0, 60).map((one) => h("div", { class: `problem ${one.severity}` }, h("button", { class: "link", onclick: () => this.jump(one.range?.[0] ?? 0) }, one.line ? t("line", one.line) : one.file || ""), " ", h("strong", {}, one.code), ` ${one.message}`, one.help ? h("p", { class: "hint" }, one.help) : null)) : h("p", { class: "good" }, t("noProblems")));
    } catch (error) { put(this.problems, h("p", { class: "hint" }, error.message)); }
  }

  jump(at) { this.area.focus(); this.area.setSelectionRange(at, at); const line = this.area.value.slice(0, at).split("\n").length; this.box.scrollTop = Math.max(0, (line - 6) * 21.7); }

  colour() {
    const text = this.area.value;
    const pieces = [];
    // The part before and after the change is as it was.
    let same = 0, behind = 0;
    const old = this.coloured ?? "";
    if (old !== text) {
      const most = Math.min(old.length, text.length);
      while (same < most && old[same] === text[same]) same += 1;
      while (behind < most - same && old[old.length - 1 - behind] === text[text.length - 1 - behind]) behind += 1;
    } else same = text.length;
    const shift = text.length - old.length;
    const moved = (range) => (range[1] <= same ? range : range[0] >= old.length - behind ? [range[0] + shift, range[1] + shift] : null);
    const tokens = (this.colours || []).map((one) => ({ range: moved(one.range), name: TOKENS[one.colour] })).filter((one) => one.range && one.name);
    const marks = (this.marks || []).map((one) => ({ range: moved(one.range), kind: one.severity })).filter((one) => one.range).map((one) => ({ ...one, range: [one.range[0], Math.max(one.range[1], one.range[0] + 1)] }));
    const cuts = new Set([0, text.length]);
    for (const { range } of [...tokens, ...marks]) { cuts.add(range[0]); cuts.add(range[1]); }
    const order = [...cuts].filter((at) => at <= text.length).sort((a, b) => a - b);
    let at = 0;
    for (let i = 0; i + 1 < order.length; i += 1) {
      const [from, to] = [order[i], order[i + 1]];
      while (at < tokens.length && tokens[at].range[1] <= from) at += 1;
      const token = tokens[at] && tokens[at].range[0] <= from ? tokens[at].name : "";
      const mark = marks.find((one) => one.range[0] <= from && one.range[1] >= to);
      const piece = text.slice(from, to);
      pieces.push(token || mark ? h("span", { class: `${token ? `tok-${token}` : ""}${mark ? ` squiggle ${mark.kind}` : ""}` }, piece) : piece);
    }
    put(this.behind, pieces, "\n");
    const lines = text.split("\n").length;
    if (this.gutter.childElementCount !== lines || this.lines !== lines) { this.lines = lines; this.gutter.textContent = Array.from({ length: lines }, (_, i) => i + 1).join("\n"); }
    this.area.style.height = `${this.behind.offsetHeight}px`;
    this.area.style.width = `${this.behind.offsetWidth}px`;
  }

  // Completion: the library says what can stand at the cursor.
  async offer(force = false) {
    const text = this.area.value, at = this.area.selectionStart;
    const typed = /[\p{L}\p{N}_.[-]$/u.test(text.slice(0, at));
    if (!force && !typed) { this.closePopup(); return; }
    const asked = (this.asked = (this.asked || 0) + 1);
    let found;
    try { found = await call("complete", { path: this.path, text, at }); } catch { return; }
    if (asked !== this.asked || this.area.selectionStart !== at) return;
    this.options = found.completions.filter((one) => { const part = text.slice(one.range[0], at).toLowerCase(); return part !== one.insert.toLowerCase() && one.label.toLowerCase().includes(part) && (force || part.length > 0); })
      .sort((a, b) => Number(!a.label.toLowerCase().startsWith(text.slice(a.range[0], at).toLowerCase())) - Number(!b.label.toLowerCase().startsWith(text.slice(b.range[0], at).toLowerCase()))).slice(0, 40);
    this.option = 0;
    if (!this.options.length) { this.closePopup(); return; }
    this.drawOptions();
  }

  drawOptions() {
    this.closePopup();
    const { x, y } = this.placeOf(this.area.selectionStart);
    this.popup = h("div", { class: "popup", role: "listbox" }, this.options.map((one, i) => h("div", { class: "option", role: "option", "aria-selected": String(i === this.option), onmousedown: (event) => { event.preventDefault(); this.option = i; this.insert(); } }, h("span", { class: "name" }, one.label), h("small", {}, one.detail || one.kind))));
    this.popup.style.left = `${x}px`; this.popup.style.top = `${y + 22}px`;
    this.box.append(this.popup);
    this.popup.children[this.option]?.scrollIntoView({ block: "nearest" });
  }

  insert() {
    const one = this.options[this.option];
    const end = this.area.selectionStart;
    this.closePopup();
    this.area.setRangeText(one.insert, one.range[0], Math.max(end, one.range[1]), "end");
    this.changed();
  }

  closePopup() { this.popup?.remove(); this.popup = null; }

  // Where a character stands, by the text behind the glass.
  placeOf(at) {
    const walker = document.createTreeWalker(this.behind, NodeFilter.SHOW_TEXT);
    let left = at, node = walker.nextNode();
    while (node && left > node.length) { left -= node.length; node = walker.nextNode(); }
    if (!node) return { x: 54, y: 10 };
    const place = document.createRange();
    place.setStart(node, left);
    const rect = place.getClientRects()[0] || place.getBoundingClientRect(), box = this.box.getBoundingClientRect();
    return { x: rect.left - box.left + this.box.scrollLeft, y: rect.top - box.top + this.box.scrollTop };
  }

  point(event) {
    clearTimeout(this.pointing);
    if (this.popup && !this.popup.classList.contains("hover")) return;
    this.pointing = setTimeout(async () => {
      this.area.style.pointerEvents = "none";
      this.behind.style.pointerEvents = "auto";
      const under = document.caretRangeFromPoint?.(event.clientX, event.clientY);
      this.area.style.pointerEvents = ""; this.behind.style.pointerEvents = "";
      if (!under || !this.behind.contains(under.startContainer)) return;
      const before = document.createRange();
      before.setStart(this.behind, 0); before.setEnd(under.startContainer, under.startOffset);
      await this.tell(before.toString().length);
    }, 450);
  }

  async tell(at) {
    let told;
    try { told = await call("hover", { path: this.path, text: this.area.value, at }); } catch { return; }
    if (!told.text) return;
    this.closePopup();
    const { x, y } = this.placeOf(at);
    this.popup = h("div", { class: "popup hover", role: "tooltip" }, told.text.replace(/```\w*\n?/g, "").replace(/\*\*|`/g, ""));
    this.popup.style.left = `${x}px`; this.popup.style.top = `${y + 22}px`;
    this.box.append(this.popup);
  }

  keys(event) {
    event.stopPropagation();
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "s") { event.preventDefault(); this.save(); return; }
    if ((event.ctrlKey || event.metaKey) && event.key === " ") { event.preventDefault(); this.offer(true); return; }
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "i") { event.preventDefault(); this.tell(this.area.selectionStart); return; }
    if (!this.popup || this.popup.classList.contains("hover")) { if (event.key === "Escape") this.closePopup(); return; }
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) { event.preventDefault(); this.option = (this.option + step + this.options.length) % this.options.length; this.drawOptions(); }
    else if (event.key === "Enter" || event.key === "Tab") { event.preventDefault(); this.insert(); }
    else if (event.key === "Escape") { event.preventDefault(); this.closePopup(); }
  }

  onkey(event) { if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "s") { event.preventDefault(); this.save(); } }

  async save() {
    try {
      const answer = await call("save", { path: this.path, text: this.area.value, hash: this.hash });
      const at = this.area.selectionStart;
      Object.assign(this, { hash: answer.hash, saved: answer.text });
      this.area.value = answer.text;
      this.area.setSelectionRange(at, at);
      this.changed();
      toast(answer.in_use ? t("inUse") : t("notInUse"), answer.in_use ? "info" : "error");
    } catch (error) { this.app.fail(error); }
  }

  async effect() {
    put(this.result, h("p", { class: "hint", role: "status" }, t("computing")));
    this.effectButton.disabled = true;
    try {
      const answer = await call("effect", { path: this.path, text: this.area.value });
      put(this.result, this.told(answer));
      for (const [drawing, view] of this.drawings || []) { drawing.show(view); drawing.scale(0.62); }
    } catch (error) { put(this.result, h("p", { class: "bad" }, error.message)); } finally { this.effectButton.disabled = false; }
  }

  told(answer) {
    this.drawings = [];
    if (answer.problems.length) return [h("p", { class: "bad" }, answer.problems[0].message)];
    const turned = answer.cases.filter((one) => one.before !== one.after);
    const green = answer.cases.filter((one) => one.after).length;
    const parts = [h("h4", {}, t("cases")), h("p", { id: "cases" }, h("span", { class: "good" }, t("stillGreen", green)), " · ", h("span", { class: green < answer.cases.length ? "bad" : "" }, t("stillRed", answer.cases.length - green)))];
    parts.push(h("ul", {}, turned.map((one) => h("li", {}, h("span", { class: one.after ? "good" : "bad" }, one.after ? "✗ → ✓ " : "✓ → ✗ "), one.name, h("small", {}, ` ${one.file}`), one.why ? h("pre", { lang: "zh-CN", tabindex: "0" }, one.why) : null))));
    if (answer.figures) {
      const [before, after] = answer.figures;
      parts.push(h("h4", {}, t("againstGold", answer.gold)), h("table", { class: "attributes", id: "figures" }, h("thead", {}, h("tr", {}, h("td", {}), ["S", "N", "R", "F"].map((name) => h("th", { scope: "col" }, name)))), h("tbody", {}, [[t("before"), before], [t("after"), after]].map(([word, figures]) => h("tr", {}, h("th", { scope: "row" }, word), ["S", "N", "R", "F"].map((name) => h("td", {}, (100 * figures[name]).toFixed(1))))))));
    }
    parts.push(h("h4", {}, t("changedTrees", answer.changed, answer.looked)));
    if (!answer.changed && !turned.length) parts.push(h("p", { class: "hint" }, t("noChange")));
    for (const text of answer.texts) {
      const box = h("details", {}, h("summary", {}, text.id), h("ul", {}, text.differences.map((line) => h("li", {}, line))));
      box.addEventListener("toggle", () => {
        if (!box.open || box.drawn) return;
        box.drawn = true;
        for (const [word, view] of [[t("before"), text.old], [t("after"), text.new]]) {
          if (!view) continue;
          const drawing = new Drawing({}, { label: (name) => this.app.relationName(name), small: true });
          box.append(h("small", {}, word), drawing.element);
          drawing.show(view);
          drawing.scale(0.6);
        }
      });
      parts.push(box);
    }
    return parts;
  }
}
