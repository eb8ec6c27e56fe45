// What stands beside the tree: the chosen node and what can be done to it, why it is so, warnings, history.

import { call } from "./api.js";
import { h, key, percent, put, range, toast } from "./dom.js";
import { t } from "./words.js";

// What is known of one node: its text, its parts, and a button for all that the keys do.
export function nodePanel(work) {
  const { app, state } = work;
  const node = work.node(work.selected);
  if (!node) return [h("p", { class: "hint" }, t("choose"))];
  const edus = state.tree.edus.slice(node.span[0] - 1, node.span[1]);
  const pair = node.children?.length > 0;
  const single = node.span[0] === node.span[1];
  const button = (word, act, keys, off = false) => h("button", { title: keys, "aria-keyshortcuts": keys, disabled: off || Boolean(state.busy), onclick: act, data: { act: word } }, t(word), h("kbd", { "aria-hidden": "true" }, keys));
  const above = work.parentOf(work.selected);
  return [
    h("h3", {}, pair ? `${app.relationName(node.relation)}` : `EDU ${range(node.span)}`, pair ? h("span", { class: "kind" }, `${range(node.span)} · ${node.roles}`) : null),
    node.probability !== undefined && node.probability !== null ? h("p", { class: "hint" }, t("proposed", percent(node.probability))) : null,
    h("p", { class: "full-text", lang: "zh-CN", tabindex: "0", role: "region", "aria-label": t("text") }, edus.map((edu, i) => h("span", { class: "edu", title: `EDU ${node.span[0] + i}` }, edu.text))),
    work.mode !== "edit" ? null : h("div", { class: "acts" },
      pair ? button("relation", () => work.relate(), "R") : null,
      pair ? button("nuclearity", () => work.turn(), "N") : null,
      button("attach", () => work.beginAttach(), "A"),
      above ? button("raise", () => work.raise(), "Alt+↑") : null,
      above ? button("lower", () => work.lower(), "Alt+↓") : null,
      button("multinuc", () => work.multinuc(), "M"),
      above ? button("unlink", () => work.unlink(), "X") : null,
      single ? button("cut", () => work.cut(), "C") : null,
      single ? button("joinNext", () => work.unite(), "J") : null,
      pair ? button("fold", () => work.fold(), "Space") : null,
      button("note", () => work.note(), "T")),
  ];
}

export function warningsPanel(work) {
  const { warnings } = work.state;
  if (!warnings.length) return [h("p", { class: "hint" }, t("noWarnings"))];
  return [h("ul", { class: "warnings" }, warnings.slice(0, 100).map((warning) => h("li", {}, h("button", { class: "link", onclick: () => work.choose(warning.span) }, t(`warn_${warning.kind}`, range(warning.span), warning.number)))))];
}

export function historyPanel(work) {
  return [h("ol", { class: "history" }, work.state.history.slice(0, 200).map((line) => h("li", { class: line.stands ? "" : "undone" },
    h("span", { class: "number" }, line.number), " ", h("button", { class: "link", disabled: !line.span, onclick: () => line.span && work.choose(line.span) }, `${t(`act_${line.what}`)} ${line.span ? range(line.span) : ""}`), line.relation ? h("span", { class: "relation" }, work.app.relationName(line.relation)) : null)))];
}

// Notes, signals and secondary edges.
export function remarksPanel(work) {
  const { state, app } = work;
  const send = (remark) => work.act({ remark });
  const chosen = work.selected;
  const parts = [];
  if (state.notes.length) parts.push(h("h4", {}, t("notes")), h("ul", {}, state.notes.map((note) => h("li", {}, h("button", { class: "link", onclick: () => work.choose(note.span) }, range(note.span)), " ", note.text))));
  parts.push(h("h4", {}, t("signals")), h("ul", {}, state.signals.map((sign) => h("li", {}, h("button", { class: "link", onclick: () => work.choose(sign.span) }, range(sign.span)), ` ${sign.type} ${sign.subtype} `, sign.words ? h("q", { lang: "zh-CN" }, sign.words) : null, " ", h("button", { class: "small", "aria-label": `${t("remove")} ${sign.type}`, onclick: () => send({ signal: { ...sign, stands: false } }) }, "×")))));
  if (chosen && !state.busy) {
    const types = app.project.signals;
    const kind = h("select", { "aria-label": t("type"), id: "signal-type" }, Object.keys(types).map((name) => h("option", {}, name)));
    const sub = h("select", { "aria-label": t("subtype") });
    const fill = () => put(sub, types[kind.value].map((name) => h("option", {}, name)));
    kind.addEventListener("change", fill);
    fill();
    const words = h("input", { type: "text", "aria-label": t("words"), placeholder: t("words"), id: "signal-words" });
    parts.push(h("div", { class: "inline" }, kind, sub, words, h("button", { id: "signal-add", onclick: () => send({ signal: { span: chosen, type: kind.value, subtype: sub.value, words: words.value.trim() } }) }, t("addSignal"))));
  }
  parts.push(h("h4", {}, t("edges")), h("ul", {}, state.edges.map((edge) => h("li", {}, h("button", { class: "link", onclick: () => work.choose(edge.source) }, range(edge.source)), ` → ${range(edge.target)} ${app.relationName(edge.relation)} `, h("button", { class: "small", "aria-label": `${t("remove")} ${edge.relation}`, onclick: () => send({ edge: { ...edge, stands: false } }) }, "×")))));
  if (chosen && !state.busy) {
    const relation = h("select", { "aria-label": t("relation") }, [...app.relations.keys()].map((name) => h("option", { value: name }, app.relationName(name))));
    const to = h("select", { "aria-label": t("to") }, state.tree.nodes.filter((node) => key(node.span) !== key(chosen)).map((node) => h("option", { value: key(node.span) }, range(node.span))));
    parts.push(h("div", { class: "inline" }, relation, to, h("button", { onclick: () => send({ edge: { source: chosen, target: to.value.split("-").map(Number), relation: relation.value } }) }, t("addEdge"))));
  }
  return parts;
}

const log = (value) => (value >= 0 ? `+${value.toFixed(2)}` : value.toFixed(2));

// Why the grammar's tree has this node: who spoke for it and against.
export async function whyPanel(work, box, ask) {
  put(box, h("p", { class: "hint", role: "status" }, t("whyLoading")));
  let answer;
  try { answer = await call("why", { id: work.id, ...ask }); } catch (error) { put(box, h("p", { class: "hint" }, error.message)); return; }
  if (!answer.detail) { put(box, h("p", {}, t("whyNone")), answer.crossed ? h("p", { class: "hint" }, answer.crossed) : null); return; }
  const { detail } = answer;
  const { row } = detail;
  put(box,
    h("p", {}, `${t("step")} ${row.step}: `, h("strong", {}, row.action === "shift" ? t("act_shift") : work.app.relationName(row.made.relation) || row.action), ` ${row.made.edus} `, h("span", { class: "share" }, percent(row.probability))),
    row.runner_up ? h("p", { class: "hint" }, `${t("runnerUp")}: ${row.runner_up[0]} ${percent(row.runner_up[1])}`) : null,
    row.forced ? h("p", { class: "hint" }, t("forcedStep")) : null,
    detail.label ? choice(work, t("joinOf"), detail.label, (rival) => whyPanel(work, box, { ...ask, rival })) : null,
    detail.action ? choice(work, t("actionOf"), detail.action) : null,
    detail.attributes.length ? h("details", {}, h("summary", {}, t("attributes")), h("table", { class: "attributes" }, h("thead", {}, h("tr", {}, ["", "A", "B", "D"].map((name) => h("th", { scope: "col" }, name)))), h("tbody", {}, detail.attributes.map((one) => h("tr", {}, h("th", { scope: "row" }, one.name), h("td", {}, one.a || ""), h("td", {}, one.b || ""), h("td", { title: one.equation }, one.d || "")))))) : null);
}

function choice(work, title, told, again) {
  const parts = [h("h4", {}, title)];
  if (told.fallback) parts.push(h("p", { class: "hint" }, t("fallback", told.fallback)));
  const { weighing } = told;
  if (weighing) {
    parts.push(h("p", { class: "versus" }, t("chosenOf", weighing.chosen.name, weighing.rival.name), " ", h("span", { class: "share" }, log(weighing.margin))));
    const most = Math.max(0.01, ...weighing.contributions.map((one) => Math.abs(one.amount)));
    parts.push(h("ul", { class: "scales" }, weighing.contributions.slice(0, 14).map((one) => {
      const bar = h("span", { class: `weight ${one.amount >= 0 ? "for" : "against"}` });
      bar.style.setProperty("--share", Math.abs(one.amount) / most);
      return h("li", { title: one.says.map((said) => `${said.row ? `${said.row}: ` : ""}${said.speaks_for} ${log(said.weight)}${said.count ? ` (${said.count})` : ""}`).join("\n") },
        h("span", { class: "amount", title: one.amount >= 0 ? t("forIt") : t("againstIt") }, log(one.amount)), bar,
        h("button", { class: "link", onclick: () => work.showRule(one.by) }, one.by), " ", h("span", { lang: "zh-CN" }, one.words), one.written ? h("span", { class: "written", title: t("rule") }, " ✎") : null);
    })));
    if (weighing.outvoted) parts.push(h("p", { class: "hint" }, weighing.outvoted));
    if (weighing.turns.length) parts.push(h("details", {}, h("summary", {}, t("turns")), h("ul", {}, weighing.turns.map((turn) => h("li", {}, `${turn.row ? `${turn.row} · ` : ""}${turn.by}: ${turn.from} → ${turn.to}`, turn.place ? h("small", {}, ` ${turn.place}`) : null)))));
    if (weighing.rule_to_write) parts.push(h("details", {}, h("summary", {}, t("writeRule")), h("pre", { tabindex: "0", role: "region", "aria-label": t("writeRule") }, weighing.rule_to_write), h("button", { class: "small", onclick: () => navigator.clipboard?.writeText(weighing.rule_to_write).then(() => toast(t("copied"))) }, t("atCursor"))));
  } else if (told.spoke.length) {
    parts.push(h("ul", {}, told.spoke.slice(0, 12).map((voice) => h("li", {}, h("button", { class: "link", onclick: () => work.showRule(voice.rule) }, voice.rule), ` → ${voice.speaks_for} × ${voice.count}`))));
  }
  if (told.shares.length > 1) {
    const others = told.shares.slice(0, 8);
    parts.push(h("ul", { class: "shares" }, others.map((share) => {
      const bar = h("span", { class: "weight for" });
      bar.style.setProperty("--share", share.probability);
      const rival = again && share.name !== told.chosen;
      return h("li", {}, h("span", { class: "amount" }, percent(share.probability)), bar, rival ? h("button", { class: "link", title: t("rivalIs"), onclick: () => again(share.name.replace(/^_\[(.*)\]/, "$1")) }, share.name) : h("span", {}, share.name));
    })));
  }
  return parts;
}

// A rule: what it says, and what it made elsewhere.
export async function rulePanel(work, box, rule) {
  put(box, h("p", { class: "hint", role: "status" }, t("whyLoading")));
  try {
    const answer = await call("rule", { rule });
    put(box, h("p", {}, h("strong", {}, rule), answer.file ? h("small", {}, ` ${answer.file}:${answer.line}`) : null),
      answer.text ? h("pre", { class: "source", lang: "zh-CN", tabindex: "0", role: "region", "aria-label": t("rule") }, answer.text) : null,
      answer.looked ? h("h4", {}, t("ruleNodes")) : null,
      answer.looked ? h("p", { class: "hint" }, t("looked", answer.looked)) : null,
      h("ul", {}, answer.nodes.map((node) => h("li", {}, node.right === null ? "" : node.right ? h("span", { class: "good" }, "✓ ") : h("span", { class: "bad" }, "✗ "), h("a", { href: `#/text/${encodeURIComponent(node.id)}/${key(node.span)}` }, `${node.id} ${range(node.span)}`), " ", h("span", { lang: "zh-CN" }, node.text)))),
      h("button", { onclick: () => work.panel("why") }, t("back")));
  } catch (error) { put(box, h("p", { class: "hint" }, error.message), h("button", { onclick: () => work.panel("why") }, t("back"))); }
}

// Rules that would make the grammar right where this tree was corrected.
export function rulesPanel(work, box) {
  const { app, state } = work;
  const out = h("div", {});
  const ready = state.basis === "label" && state.complete;
  const keep = () => { work.fixes = [...box.childNodes]; };
  const go = async () => {
    put(out, h("p", { class: "hint", role: "status" }, t("computing")));
    try {
      const told = await call("fix", { id: work.id });
      const { corrections } = told.answer;
      if (!corrections.length) { put(out, h("p", { class: "good" }, t("asWanted"))); return; }
      put(out, corrections.map((one) => correction(work, one, told, go)));
      keep();
    } catch (error) { put(out, h("p", { class: "bad" }, error.message)); }
  };
  put(box, h("p", { class: "hint" }, t("rulesHelp")), h("button", { class: "primary", id: "propose-rules", disabled: !ready, onclick: go }, t("proposeRules")), out);
}

function correction(work, one, told, again) {
  const wanted = one.wanted ?? one.to ?? "";
  return h("section", { class: "correction" }, h("h4", {}, `EDU ${one.edus ?? one.node ?? ""} ${t("shouldBe")} ${wanted}`),
    one.holds ? h("p", { class: "good" }, t("asWanted")) : null,
    one.divergence ? h("p", { class: "hint" }, one.divergence) : null,
    one.proposals.map((proposal) => h("div", { class: "proposal", data: { proposal: proposal.number } },
      h("pre", { class: "source", lang: "zh-CN", tabindex: "0", role: "region", "aria-label": t("rule") }, proposal.rules.join("\n").trim()),
      h("p", {}, h("span", { class: proposal.holds ? "good" : "hint" }, proposal.holds ? `✓ ${t("doesIt")}` : t("doesPart")), " · ", h("span", { class: "hint" }, t("otherNodes", proposal.other_nodes))),
      told.gold_texts ? h("p", { class: "hint" }, t("effectGold", proposal.effect.spoke, proposal.effect.right, proposal.effect.wrong), ` · S ${proposal.effect.before.s.toFixed(1)} → ${proposal.effect.after.s.toFixed(1)} · N ${proposal.effect.before.n.toFixed(1)} → ${proposal.effect.after.n.toFixed(1)} · R ${proposal.effect.before.r.toFixed(1)} → ${proposal.effect.after.r.toFixed(1)}`) : null,
      h("button", { class: "primary", data: { accept: proposal.number }, onclick: async (event) => {
        event.target.disabled = true;
        try {
          const done = await call("accept", { id: work.id, number: proposal.number, names: proposal.names });
          toast(t("accepted", done.files.map((file) => file.name).join(", ")));
          await work.reload();
          await again();
        } catch (error) { event.target.disabled = false; work.app.fail(error); }
      } }, t("acceptRule")))),
    one.hints.map((hint) => h("p", { class: "hint" }, hint.text)));
}
