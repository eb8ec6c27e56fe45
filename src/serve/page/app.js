// The shell of the page: where we are, who we are, which language.

import { call } from "./api.js";
import { $, dialog, h, put, toast } from "./dom.js";
import { current, keysList, named, refused, speak, store, t, theme } from "./words.js";
import { Texts } from "./texts.js";
import { Workspace } from "./workspace.js";
import { GrammarPage } from "./grammar.js";
import { SummaryPage } from "./summary.js";

export const app = { project: null, relations: new Map(), definitions: {}, chosen: new Set(), view: null };

// A relation as people read it: in Chinese by its Chinese name where it has one.
app.relationName = (name) => (current() === "zh" && app.definitions[name]?.zh ? app.definitions[name].zh : name);
app.go = (hash) => { if (location.hash === hash) route(); else location.hash = hash; };
app.fail = (error) => { console.warn(error); toast(refused(error), "error"); };
app.askName = askName;
app.showKeys = showKeys;

function applyTheme() {
  const wanted = theme();
  if (wanted === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = wanted;
}

function header() {
  document.documentElement.lang = current() === "zh" ? "zh-CN" : "en";
  $("#skip").textContent = t("skip");
  const at = location.hash.split("/")[1] || "texts";
  const tab = (name) => h("a", { href: `#/${name}`, "aria-current": at === name || (name === "texts" && at === "text") ? "page" : null }, t(name));
  const themes = ["auto", "light", "dark"];
  put($("#top"),
    h("span", { class: "brand" }, "arsg"),
    h("span", { class: "project", title: app.project?.grammar }, app.project?.name || ""),
    h("nav", { "aria-label": "arsg" }, tab("texts"), tab("grammar"), tab("summary")),
    h("span", { class: "space" }),
    h("button", { class: "quiet", id: "who", title: t("name"), onclick: () => askName() }, named() || app.project?.user || ""),
    h("button", { class: "quiet", "aria-label": `${t("theme")}: ${t(`theme_${theme()}`)}`, title: `${t("theme")}: ${t(`theme_${theme()}`)}`, id: "theme", onclick: () => { store("arsg-theme", themes[(themes.indexOf(theme()) + 1) % 3]); applyTheme(); header(); } }, { auto: "◐", light: "☀", dark: "☾" }[theme()]),
    h("button", { class: "quiet", id: "language", lang: current() === "zh" ? "en" : "zh-CN", onclick: () => { speak(current() === "zh" ? "en" : "zh"); route(true); } }, t("language")),
    h("button", { class: "quiet", id: "keys", "aria-label": t("help"), title: t("help"), onclick: showKeys }, "?"));
}

function askName() {
  dialog(t("name"), (close) => {
    const input = h("input", { type: "text", id: "name-input", maxlength: "60", value: named() || app.project?.user || "", "aria-label": t("name") });
    const done = (event) => { event.preventDefault(); store("arsg-name", input.value.trim()); close(); header(); route(true); };
    return h("form", { onsubmit: done }, h("p", {}, t("nameHelp")), input, h("div", { class: "buttons" }, h("button", { type: "submit", class: "primary" }, t("save")), h("button", { type: "button", onclick: close }, t("cancel"))));
  });
}

function showKeys() {
  dialog(t("keysTitle"), (close) => [
    h("table", { class: "keys" }, h("tbody", {}, keysList().map(([keys, what]) => h("tr", {}, h("th", { scope: "row" }, h("kbd", {}, keys)), h("td", {}, what))))),
    h("div", { class: "buttons" }, h("button", { class: "primary", onclick: close }, t("close"))),
  ]);
}

let last = null;

async function route(again = false) {
  const parts = location.hash.split("/").slice(1).map(decodeURIComponent);
  const [place = "texts", ...rest] = parts;
  if (app.view?.leave && (await app.view.leave()) === false) { history.replaceState(null, "", last || "#/texts"); return; }
  last = location.hash;
  header();
  const main = $("#main");
  const views = { texts: Texts, text: Workspace, grammar: GrammarPage, summary: SummaryPage };
  const View = views[place] || Texts;
  app.view = new View(app, ...rest);
  main.className = place;
  put(main, h("p", { class: "loading" }, t("loading")));
  try { await app.view.show(main, again); } catch (error) { put(main, h("p", { class: "empty", role: "alert" }, refused(error))); }
}

document.addEventListener("keydown", (event) => {
  if (event.target.closest?.("input, textarea, select, dialog, [contenteditable]")) return;
  if (event.key === "?") { event.preventDefault(); showKeys(); return; }
  app.view?.onkey?.(event);
});

// Files dropped anywhere are taken in.
document.addEventListener("dragover", (event) => { if ([...(event.dataTransfer?.types || [])].includes("Files")) { event.preventDefault(); document.body.classList.add("dropping"); } });
document.addEventListener("dragleave", (event) => { if (!event.relatedTarget) document.body.classList.remove("dropping"); });
document.addEventListener("drop", async (event) => {
  document.body.classList.remove("dropping");
  const files = [...(event.dataTransfer?.files || [])];
  if (!files.length) return;
  event.preventDefault();
  await app.takeIn(files);
});

app.takeIn = async (files) => {
  const ids = [];
  for (const file of files) {
    try {
      const answer = await call("import", { name: file.name, content: await file.text() });
      ids.push(...answer.ids);
      for (const note of answer.notes.slice(0, 3)) toast(`${file.name}: ${note}`);
    } catch (error) { toast(`${file.name}: ${refused(error)}`, "error"); }
  }
  if (ids.length) toast(t("imported", ids.length));
  if (ids.length === 1) app.go(`#/text/${encodeURIComponent(ids[0])}`);
  else if (ids.length) app.go("#/texts");
};

window.addEventListener("hashchange", () => route());

async function begin() {
  applyTheme();
  try {
    const [project, definitions] = await Promise.all([call("project"), fetch("/page/relations.json").then((r) => r.json()).catch(() => ({}))]);
    app.project = project;
    app.definitions = definitions;
    for (const relation of project.relations) app.relations.set(relation.name, relation);
  } catch (error) {
    header();
    put($("#main"), h("p", { class: "empty", role: "alert" }, refused(error)));
    return;
  }
  document.title = `${app.project.name} — arsg`;
  await route();
}

begin();
