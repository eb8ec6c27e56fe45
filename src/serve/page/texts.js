// The list of texts. Rows are drawn only where they can be seen.

import { call } from "./api.js";
import { dialog, download, h, percent, put, toast } from "./dom.js";
import { current, t } from "./words.js";

const ROW = 44;

export class Texts {
  constructor(app) {
    this.app = app;
    this.order = "corpus";
    this.wanted = "";
    this.at = 0;
  }

  async show(main) {
    const answer = await call("texts", { worth: true });
    this.texts = answer.texts;
    this.search = h("input", { type: "search", id: "search", placeholder: t("search"), "aria-label": t("search"), oninput: () => { this.wanted = this.search.value.trim().toLowerCase(); this.at = 0; this.arrange(); } });
    const orders = [["corpus", "orderCorpus"], ["worth", "orderWorth"], ["title", "orderTitle"], ["edus", "orderEdus"], ["state", "orderState"]];
    this.sorter = h("select", { id: "order", "aria-label": t("order"), onchange: () => { this.order = this.sorter.value; this.arrange(); } }, orders.map(([value, word]) => h("option", { value, selected: value === this.order }, t(word))));
    const picker = h("input", { type: "file", multiple: true, hidden: true, onchange: () => this.app.takeIn([...picker.files]) });
    this.status = h("span", { class: "status", role: "status" });
    this.body = h("div", { class: "rows", role: "rowgroup" });
    this.scroller = h("div", { class: "list", tabindex: "0", "aria-label": t("texts"), onscroll: () => this.paint(), onkeydown: (event) => this.walk(event) },
      h("div", { class: "table", role: "table", "aria-label": t("texts") },
        h("div", { role: "rowgroup" }, h("div", { class: "head", role: "row" }, h("span", { role: "columnheader", "aria-label": "✓" }), ["title", "edus", "state", "confidence", "annotators", "minutes"].map((word) => h("span", { role: "columnheader", class: `c-${word}` }, t(word))))),
        this.body));
    this.empty = h("p", { class: "empty" });
    put(main,
      h("div", { class: "bar" },
        h("button", { class: "primary", id: "paste", onclick: () => this.paste() }, t("paste")),
        h("button", { id: "import", title: t("importHelp"), onclick: () => picker.click() }, t("import")), picker,
        h("button", { id: "export", onclick: () => this.export() }, t("exportAll")),
        this.search, h("label", { class: "order" }, t("order"), " ", this.sorter), this.status),
      this.scroller, this.empty);
    for (const note of answer.notes.slice(0, 2)) toast(note);
    this.arrange();
    this.progress(answer);
    this.resize = new ResizeObserver(() => this.paint());
    this.resize.observe(this.scroller);
  }

  // The rest is parsed in the background; the list fills up.
  progress(answer) {
    clearTimeout(this.timer);
    this.tell(answer.measured);
    if (answer.measured < answer.texts.length) {
      this.timer = setTimeout(async () => {
        try {
          const fresh = await call("texts", { worth: true });
          this.texts = fresh.texts;
          this.arrange();
          this.progress(fresh);
        } catch { /* the next visit asks again */ }
      }, 2500);
    }
  }

  tell(measured) {
    const chosen = this.app.chosen.size;
    this.status.textContent = measured < this.texts.length ? t("measuring", measured, this.texts.length) : chosen ? t("chosen", chosen) : "";
  }

  async leave() { clearTimeout(this.timer); this.resize?.disconnect(); }

  arrange() {
    const states = ["work", "disputed", "parsed", "done"];
    const title = (row) => row.title;
    this.rows = this.texts.filter((row) => !this.wanted || row.title.toLowerCase().includes(this.wanted) || row.id.toLowerCase().includes(this.wanted));
    const by = {
      worth: (a, b) => (a.worth ?? 1e9) - (b.worth ?? 1e9),
      title: (a, b) => title(a).localeCompare(title(b), current()),
      edus: (a, b) => (b.edus ?? 0) - (a.edus ?? 0),
      state: (a, b) => states.indexOf(a.state) - states.indexOf(b.state),
    }[this.order];
    if (by) this.rows.sort(by);
    this.empty.textContent = this.texts.length === 0 ? t("noTexts") : this.rows.length === 0 ? t("noneFound") : "";
    this.scroller.hidden = this.rows.length === 0;
    this.body.style.height = `${this.rows.length * ROW}px`;
    this.paint();
  }

  paint() {
    const top = this.scroller.scrollTop, height = this.scroller.clientHeight || 800;
    const first = Math.max(0, Math.floor(top / ROW) - 8), end = Math.min(this.rows.length, Math.ceil((top + height) / ROW) + 8);
    put(this.body, this.rows.slice(first, end).map((row, i) => this.row(row, first + i)));
  }

  row(row, at) {
    const box = h("input", { type: "checkbox", tabindex: "-1", "aria-label": row.title, checked: this.app.chosen.has(row.id), onclick: (event) => { event.stopPropagation(); this.choose(row.id, box.checked); } });
    const element = h("div", { class: `line${at === this.at ? " at" : ""}`, role: "row", id: `row-${at}`, data: { id: row.id }, onclick: (event) => { if (event.target !== box) this.open(row.id); } },
      h("span", { role: "cell" }, box),
      h("span", { role: "cell", class: "c-title" }, h("a", { href: `#/text/${encodeURIComponent(row.id)}`, tabindex: "-1" }, row.title), h("small", {}, row.id)),
      h("span", { role: "cell", class: "c-edus" }, row.edus ?? "…"),
      h("span", { role: "cell", class: "c-state" }, h("span", { class: `state ${row.state}` }, t(`state_${row.state}`))),
      h("span", { role: "cell", class: "c-confidence" }, row.confidence === null || row.confidence === undefined ? "…" : percent(row.confidence)),
      h("span", { role: "cell", class: "c-annotators" }, row.annotators.join(", ")),
      h("span", { role: "cell", class: "c-minutes" }, row.minutes >= 0.05 ? row.minutes.toFixed(1) : ""));
    element.style.top = `${at * ROW}px`;
    return element;
  }

  choose(id, is) { if (is) this.app.chosen.add(id); else this.app.chosen.delete(id); this.tell(this.texts.length); }
  open(id) { this.app.go(`#/text/${encodeURIComponent(id)}`); }

  walk(event) {
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10, Home: -1e9, End: 1e9 }[event.key];
    if (step) {
      event.preventDefault();
      this.at = Math.max(0, Math.min(this.rows.length - 1, this.at + step));
      const top = this.at * ROW;
      if (top < this.scroller.scrollTop) this.scroller.scrollTop = top;
      if (top + 2 * ROW > this.scroller.scrollTop + this.scroller.clientHeight) this.scroller.scrollTop = top - this.scroller.clientHeight + 2 * ROW;
      this.paint();
    } else if (event.key === "Enter" && this.rows[this.at] && event.target === this.scroller) {
      this.open(this.rows[this.at].id);
    } else if (event.key === " " && this.rows[this.at] && event.target === this.scroller) {
      event.preventDefault();
      const { id } = this.rows[this.at];
      this.choose(id, !this.app.chosen.has(id));
      this.paint();
    }
  }

  onkey(event) {
    if (event.key === "/") { event.preventDefault(); this.search.focus(); }
    if (event.key === "p" && !event.ctrlKey && !event.metaKey) { event.preventDefault(); this.paste(); }
    if (event.key === "ArrowDown" && document.activeElement === document.body) { event.preventDefault(); this.scroller.focus(); }
  }

  paste() {
    dialog(t("paste"), (close) => {
      const text = h("textarea", { id: "paste-text", rows: "12", "aria-label": t("text"), required: true });
      const name = h("input", { type: "text", id: "paste-name", "aria-label": t("pasteName"), placeholder: t("pasteName"), maxlength: "48" });
      const button = h("button", { type: "submit", class: "primary", id: "paste-show" }, t("pasteShow"));
      const done = async (event) => {
        event.preventDefault();
        if (!text.value.trim()) return;
        button.disabled = true;
        try {
          const { ids } = await call("paste", { text: text.value, name: name.value });
          close();
          this.app.go(`#/text/${encodeURIComponent(ids[0])}`);
        } catch (error) { button.disabled = false; this.app.fail(error); }
      };
      text.addEventListener("keydown", (event) => { if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) done(event); });
      return h("form", { onsubmit: done }, h("p", {}, t("pasteHelp")), text, name, h("div", { class: "buttons" }, button, h("button", { type: "button", onclick: close }, t("cancel"))));
    }, { wide: true });
  }

  export() { exportDialog(this.app, [...this.app.chosen]); }
}

const FORMATS = ["rs3", "rs4", "dis", "rsd", "json", "sexp", "svg", "png", "html"];

export function exportDialog(app, ids, one = false) {
  dialog(t("export"), (close) => {
    const format = h("select", { id: "format", "aria-label": t("format") }, FORMATS.map((name) => h("option", { value: name }, name)));
    const save = async () => {
      try {
        const asked = format.value === "png" ? "svg" : format.value;
        const answer = await call("export", { ids, format: asked });
        for (const file of answer.files) {
          if (format.value === "png") download(file.name.replace(/svg$/, "png"), await png(file.text), "image/png");
          else download(file.name, file.text, asked === "svg" ? "image/svg+xml" : "text/plain");
        }
        for (const note of answer.notes.slice(0, 3)) toast(note);
        close();
      } catch (error) { app.fail(error); }
    };
    return [h("p", {}, one ? t("one") : ids.length ? t("chosen", ids.length) : t("all")), h("label", {}, t("format"), " ", format), h("div", { class: "buttons" }, h("button", { class: "primary", id: "export-go", onclick: save }, t("export")), h("button", { onclick: close }, t("cancel")))];
  });
}

// A drawing as a picture of twice the size.
export async function png(svg) {
  const url = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
  try {
    const image = new Image();
    await new Promise((resolve, reject) => { image.onload = resolve; image.onerror = () => reject(new Error("SVG")); image.src = url; });
    const factor = Math.min(2, 16000 / Math.max(image.width, image.height));
    const canvas = h("canvas", { width: Math.ceil(image.width * factor), height: Math.ceil(image.height * factor) });
    const context = canvas.getContext("2d");
    context.fillStyle = "#ffffff";
    context.fillRect(0, 0, canvas.width, canvas.height);
    context.drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((resolve) => { canvas.toBlob(resolve, "image/png"); });
  } finally { URL.revokeObjectURL(url); }
}
