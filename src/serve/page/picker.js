// Choosing a relation by a few letters, with its definition and an example; the grammar's own proposal first.

import { dialog, h, percent, put, range } from "./dom.js";
import { current, t } from "./words.js";

const ROLES = ["NS", "SN", "NN"];

// Asks for a relation and roles. `fixed`: only these roles. Resolves to {relation, roles} or nothing.
export function pickRelation(app, { left, right, proposals = [], now = null, fixed = null, multinuc = false }) {
  return new Promise((resolve) => {
    let chosen = null;
    const probable = new Map();
    for (const one of proposals) {
      const known = probable.get(one.relation);
      if (!known || known.probability < one.probability) probable.set(one.relation, one);
    }
    let roles = now?.roles || proposals[0]?.roles || "NS";
    let touched = Boolean(now);
    const allowed = (kind, wanted) => (kind === "multinuc") === (wanted === "NN");
    const rank = (name) => probable.get(name)?.probability ?? 0;
    const all = [...app.relations.values()].filter((relation) => (!multinuc || relation.kind === "multinuc") && (!fixed || fixed.some((one) => allowed(relation.kind, one))));
    all.sort((a, b) => (b.name === now?.relation) - (a.name === now?.relation) || rank(b.name) - rank(a.name));
    let shown = all, at = 0;
    const input = h("input", { type: "text", id: "relation-input", role: "combobox", "aria-expanded": "true", "aria-controls": "relation-list", "aria-autocomplete": "list", "aria-label": t("typeLetters"), placeholder: t("typeLetters"), autocomplete: "off", spellcheck: "false" });
    const list = h("div", { id: "relation-list", class: "relation-list", role: "listbox", "aria-label": t("relation") });
    const about = h("div", { class: "about" });
    const sides = h("div", { class: "sides", role: "radiogroup", "aria-label": t("nuclearity") });
    const text = (relation) => {
      const own = app.definitions[relation.name] || {};
      return `${relation.name} ${own.zh || ""} ${own.pinyin || ""} ${relation.class}`.toLowerCase();
    };
    const rolesOf = (relation) => {
      const usual = probable.get(relation.name)?.roles;
      if (fixed) return fixed.find((one) => allowed(relation.kind, one)) || fixed[0];
      if (touched && allowed(relation.kind, roles)) return roles;
      if (usual) return usual;
      return relation.kind === "multinuc" ? "NN" : roles === "NN" ? "NS" : roles;
    };
    const paint = () => {
      put(list, shown.map((relation, i) => {
        const own = app.definitions[relation.name] || {};
        const share = rank(relation.name);
        return h("div", { class: "option", role: "option", id: `relation-${i}`, "aria-selected": String(i === at), data: { relation: relation.name }, onclick: () => { at = i; take(); }, onmousemove: () => { if (at !== i) { at = i; paint(); } } },
          h("span", { class: "name" }, current() === "zh" && own.zh ? [own.zh, h("small", {}, relation.name)] : [relation.name, own.zh ? h("small", {}, own.zh) : null]),
          h("span", { class: "kind" }, rolesOf(relation)),
          share >= 0.005 ? h("span", { class: "share", title: t("proposed", percent(share)) }, percent(share)) : null);
      }));
      if (!shown.length) put(list, h("p", { class: "empty" }, t("noRelation")));
      const relation = shown[at];
      input.setAttribute("aria-activedescendant", relation ? `relation-${at}` : "");
      list.children[at]?.scrollIntoView?.({ block: "nearest" });
      const own = relation && app.definitions[relation.name];
      put(about, relation ? [
        h("strong", {}, app.relationName(relation.name)), " ", relation.kind === "multinuc" ? h("span", { class: "kind" }, t("onlyMultinuc")) : null,
        own ? [h("p", {}, current() === "zh" ? own.def_zh : own.def_en), h("p", { class: "example", lang: "zh-CN" }, own.example)] : null,
        relation.cues.length ? h("p", { class: "cues", lang: "zh-CN" }, `${t("cues")}: ${relation.cues.join("、")}`) : null,
      ] : []);
      const real = relation ? rolesOf(relation) : roles;
      put(sides, ROLES.filter((one) => !fixed || fixed.includes(one)).map((one) => h("button", { type: "button", role: "radio", "aria-checked": String(one === real), title: one, onclick: () => turn(one) }, one)));
    };
    const turn = (wanted) => { roles = wanted; touched = true; if (shown[at] && !allowed(shown[at].kind, wanted)) { const next = shown.findIndex((relation) => allowed(relation.kind, wanted)); if (next >= 0) at = next; } paint(); input.focus(); };
    const filter = () => {
      const wanted = input.value.trim().toLowerCase();
      const fits = (relation) => {
        const own = text(relation);
        if (own.includes(wanted)) return own.split(/[\s-]+/).some((part) => part.startsWith(wanted)) ? 0 : 1;
        let from = -1;
        return [...wanted].every((c) => { from = own.indexOf(c, from + 1); return from >= 0; }) ? 2 : 9;
      };
      shown = wanted ? all.map((relation) => [fits(relation), relation]).filter(([fit]) => fit < 9).sort((a, b) => a[0] - b[0] || rank(b[1].name) - rank(a[1].name)).map(([, relation]) => relation) : all;
      at = 0;
      paint();
    };
    const take = () => { if (!shown[at]) return; chosen = { relation: shown[at].name, roles: rolesOf(shown[at]) }; close(); };
    input.addEventListener("input", filter);
    const title = t("pickRelation", range(left), range(right));
    const close = dialog(title, (shut) => {
      const keys = (event) => {
        if (event.key === "ArrowDown" || event.key === "ArrowUp") { event.preventDefault(); at = Math.max(0, Math.min(shown.length - 1, at + (event.key === "ArrowDown" ? 1 : -1))); paint(); }
        else if (event.key === "Enter" && event.target.getAttribute("role") !== "radio") { event.preventDefault(); take(); }
        else if (event.key === "Tab" && event.target === input && !fixed) { event.preventDefault(); turn(ROLES[(ROLES.indexOf(rolesOf(shown[at] || all[0])) + 1) % 3]); }
      };
      return h("div", { class: "picker", onkeydown: keys }, input, sides, h("div", { class: "halves" }, list, about), h("div", { class: "buttons" }, h("button", { type: "button", onclick: shut }, t("cancel"))));
    }, { wide: true, onclose: () => resolve(chosen) });
    paint();
    input.focus();
  });
}
