// The workbench in a real browser: the whole way of a person who corrects trees and grows a grammar.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { arsg, browser, go, label, open, project, serve, settled, text, until } from "./stage.mjs";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core"), "utf8");
const NEWS = "受台风影响，沿海多地停工停课。气象台表示，台风将于周五凌晨登陆，中心风力可达十二级。为了确保安全，铁路部门停运了部分列车；港口也暂停作业。\n虽然航班大面积取消，但是机场秩序良好。工作人员为旅客免费提供食物，因此没有人投诉。";
const node = (page, span) => page.locator(`svg.tree [data-span="${span}"]`).first();
const spans = (page) => page.evaluate(() => [...document.querySelectorAll("svg.tree [data-span]")].map((one) => one.dataset.span));

let folder, server, chrome, page;

before(async () => {
  folder = project();
  server = await serve(folder);
  chrome = await browser();
  page = await open(chrome, server);
});

after(async () => {
  await chrome?.close();
  await server?.stop();
});

async function accessible(where) {
  // As a script of the page it would not pass the page's own policy; the debugger may.
  await page.evaluate(axe);
  const found = await page.evaluate(async () => (await globalThis.axe.run(document, { resultTypes: ["violations"] })).violations.filter((one) => ["serious", "critical"].includes(one.impact)).map((one) => `${one.id}: ${one.nodes.slice(0, 3).map((n) => n.html.slice(0, 160)).join(" | ")}`));
  assert.deepEqual(found, [], where);
}

async function dragTo(from, to) {
  const [a, b] = [await node(page, from).boundingBox(), await node(page, to).boundingBox()];
  const at = (box) => [box.x + box.width / 2, box.y + Math.min(12, box.height / 2)];
  await page.mouse.move(...at(a));
  await page.mouse.down();
  await page.mouse.move(at(a)[0] + 12, at(a)[1] + 12, { steps: 3 });
  await page.mouse.move(...at(b), { steps: 6 });
  await page.mouse.up();
}

async function pick(letters) {
  await page.waitForSelector("#relation-input");
  await page.locator("#relation-input").fill(letters);
  return settled(page, () => page.keyboard.press("Enter"));
}

test("only the page itself, with the token, is answered", async () => {
  assert.equal((await fetch(`${server.origin}/`)).status, 401);
  assert.equal((await fetch(`${server.origin}/?token=wrong`)).status, 401);
  assert.equal((await fetch(`${server.origin}/page/app.js`)).status, 401);
  assert.equal((await server.ask("project", {}, { authorization: "Bearer x" })).status, 401);
  assert.equal((await server.ask("project", {}, { origin: "http://evil.example" })).status, 403);
  const fine = await server.ask("project");
  assert.equal(fine.status, 200);
  assert.match(fine.headers.get("content-security-policy"), /default-src 'none'/);
  for (const path of ["../../../etc/passwd", "/etc/passwd", "texts/today.txt", "grammars/../arsg.toml"]) assert.equal((await server.ask("read", { path })).status, 404, path);
  assert.ok((await server.ask("paste", { text: "长".repeat(17 * 1024 * 1024 / 3) })).status >= 400);
  assert.equal((await server.ask("open", "{")).status, 400);
  assert.equal((await server.ask("open", { id: "nothing" })).status, 404);
  assert.ok(!(await page.url()).includes("token"));
});

test("a text is pasted and its tree is there", async () => {
  await page.locator("#paste").click();
  await page.locator("#paste-text").fill(NEWS);
  await page.locator("#paste-name").fill("台风");
  await page.locator("#paste-show").click();
  await page.waitForSelector("svg.tree .node.edu");
  assert.ok((await spans(page)).includes("1-1"));
  assert.equal(readFileSync(join(folder, "texts", "台风.txt"), "utf8"), `${NEWS}\n`);
  await accessible("the tree");
});

test("three nodes are corrected by mouse", async () => {
  await text(page, "台风");
  // A relation, by its name in the drawing.
  await page.locator("svg.tree text.relation").first().dblclick();
  const first = await pick("background");
  assert.equal(first.basis, "label");
  assert.ok(first.tree.nodes.some((one) => one.relation === "context-background"));
  // A node attached to another by dragging.
  const edus = first.tree.edus.length;
  await dragTo(`${edus}-${edus}`, `${edus - 1}-${edus - 1}`);
  const second = await pick("result");
  assert.ok(second.tree.nodes.some((one) => one.span[0] === edus - 1 && one.span[1] === edus && one.relation === "causal-result"), JSON.stringify(second.history[0]));
  // A nuclearity, by its button.
  await node(page, `${edus - 1}-${edus}`).click();
  const third = await settled(page, () => page.locator('[data-act="nuclearity"]').click());
  assert.equal(third.tree.nodes.find((one) => one.span[0] === edus - 1 && one.span[1] === edus).roles, "SN");
  const kept = label(folder, "台风").slice(1).map((line) => line.edit && Object.keys(line.edit)[0]);
  assert.deepEqual(kept, ["take", "relate", "attach", "relate"]);
  assert.deepEqual(page.problems, []);
});

test("the same is done wholly by keyboard", async () => {
  await page.reload();
  await page.waitForSelector("svg.tree .node.edu");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("Enter");
  const related = await pick("evidence");
  assert.ok(related.tree.nodes.some((one) => one.relation === "explanation-evidence"));
  const turned = await settled(page, () => page.keyboard.press("n"));
  assert.notDeepEqual(turned.tree.nodes.at(-1).roles, related.tree.nodes.at(-1).roles);
  // Down to the first EDU, and attach it to its neighbour.
  for (let i = 0; i < 12; i += 1) await page.keyboard.press("ArrowDown");
  for (let i = 0; i < 20; i += 1) await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("a");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Enter");
  const attached = await pick("circumstance");
  assert.ok(attached.tree.nodes.some((one) => one.relation === "context-circumstance"));
  assert.equal(attached.history[0].what, "attach");
});

test("undo ten times, redo, and reload: nothing is lost", async () => {
  const now = await page.evaluate(() => document.querySelectorAll("svg.tree [data-span]").length);
  const { json: before } = await server.ask("open", { id: "台风" });
  let steps = 0;
  for (let i = 0; i < 10 && before.undo_redo[0] > steps; i += 1) { await settled(page, () => page.keyboard.press("z")); steps += 1; }
  for (let i = 0; i < steps; i += 1) await settled(page, () => page.keyboard.press("y"));
  await page.reload();
  await page.waitForSelector("svg.tree .node.edu");
  assert.equal(await page.evaluate(() => document.querySelectorAll("svg.tree [data-span]").length), now);
  const { json: again } = await server.ask("open", { id: "台风" });
  assert.deepEqual(again.tree, before.tree);
  assert.equal(again.version, before.version + 2 * steps);
});

test("an EDU is cut between two letters and joined again", async () => {
  const { json: before } = await server.ask("open", { id: "台风" });
  await node(page, "2-2").click();
  await page.keyboard.press("c");
  await page.waitForSelector("#letters");
  await page.waitForTimeout(100);
  await page.keyboard.press("Home");
  await page.keyboard.press("ArrowRight");
  const cut = await settled(page, () => page.keyboard.press("Enter"));
  assert.equal(cut.tree.edus.length, before.tree.edus.length + 1);
  assert.equal([...cut.tree.edus[1].text].length, 2);
  assert.ok(cut.complete, "the first half keeps its links, and the second holds on to it");
  await node(page, "2-2").click();
  const joined = await settled(page, () => page.keyboard.press("j"));
  assert.deepEqual(joined.tree.edus, before.tree.edus);
  assert.deepEqual(joined.tree.nodes.map((one) => [one.span, one.relation]), before.tree.nodes.map((one) => [one.span, one.relation]));
});

test("what is taken out is warned of and can be attached again", async () => {
  await node(page, "1-1").click();
  const out = await settled(page, () => page.keyboard.press("x"));
  assert.ok(!out.complete);
  assert.ok(out.warnings.some((one) => one.kind === "unattached"));
  await page.waitForSelector(".warn");
  await settled(page, () => page.keyboard.press("z"));
});

test("notes and signals are kept beside the tree", async () => {
  await node(page, "1-1").click();
  await page.keyboard.press("t");
  await page.locator("#note-text").fill("这里<b>有疑问</b>");
  await settled(page, () => page.locator("dialog button.primary").click());
  await page.locator("#tab-remarks").click();
  await page.locator("#signal-type").selectOption("dm");
  await page.locator("#signal-words").fill("受");
  const signed = await settled(page, () => page.locator("#signal-add").click());
  assert.equal(signed.signals[0].words, "受");
  assert.equal(signed.notes[0].text, "这里<b>有疑问</b>");
  assert.equal(await page.locator("#side-body b").count(), 0);
  await page.locator("#tab-node").click();
});

test("questions are answered until the draws agree", async () => {
  await text(page, "oil-cut-deal");
  await page.keyboard.press("3");
  for (let i = 0; i < 25; i += 1) {
    await page.waitForSelector("#answer-yes, #ask-done");
    if (await page.locator("#ask-done").count()) break;
    await settled(page, () => page.keyboard.press(i % 3 ? "y" : "n"));
    await page.waitForTimeout(250);
  }
  await page.waitForSelector("#ask-done");
  await accessible("questions");
  const taken = await settled(page, () => page.locator("#take-tree").click());
  assert.ok(taken.complete);
  assert.ok(taken.answers.length > 0);
  for (const { span, together } of taken.answers) assert.equal(taken.tree.nodes.some((one) => one.span[0] === span[0] && one.span[1] === span[1]), together, `${span}`);
});

test("a tree is made by shift and reduce, the proposal first", async () => {
  await text(page, "oil-stocks-flash");
  await page.keyboard.press("2");
  await page.waitForSelector("#accept");
  for (let i = 0; i < 60; i += 1) {
    if (!(await page.locator("#accept").count())) break;
    if (i === 4) await page.keyboard.press("ArrowDown");
    await settled(page, () => page.keyboard.press("Enter"));
    await page.waitForTimeout(40);
    await until(page, () => !document.querySelector("#accept") || document.querySelector(".suggestions .option"));
  }
  const kept = label(folder, "oil-stocks-flash");
  assert.ok(kept.slice(1).every((line) => ["shift", "reduce"].includes(line.action)));
  assert.ok(kept[3].context.A || kept[3].context.C);
  const edus = kept[0].document.blocks.flatMap((block) => block.edus).length;
  assert.equal(kept.length - 1, 2 * edus - 1);
  await accessible("shift and reduce");
});

test("the automaton goes step by step, and another step can be forced", async () => {
  await page.keyboard.press("4");
  await page.waitForSelector("#step-forward");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  await page.waitForSelector(".force .choice");
  await page.locator(".force .choice").first().click();
  await page.waitForSelector("#main .board .banner");
  await accessible("the automaton");
});

test("why: who spoke for a node, and the rule behind it", async () => {
  await text(page, "today");
  await node(page, "4-5").click();
  await page.keyboard.press("w");
  await page.waitForSelector("#side-body h4");
  assert.match(await page.locator("#side-body").innerText(), /causal-cause/);
  await page.locator("#side-body button.link").first().click();
  await page.waitForSelector("#side-body pre.source");
  await accessible("why");
});

test("a proposed rule is accepted, and its case turns green", async () => {
  await text(page, "today");
  await page.locator("#tab-node").click();
  await node(page, "10-12").click();
  await page.keyboard.press("r");
  await pick("causal-result");
  await page.locator("#tab-rules").click();
  await page.locator("#propose-rules").click();
  await page.waitForSelector("[data-accept]", { timeout: 120000 });
  await accessible("rules");
  const written = page.waitForResponse((response) => response.url().endsWith("/api/accept"), { timeout: 120000 });
  await page.locator(".proposal").filter({ hasText: "✓" }).first().locator("[data-accept]").click();
  const answer = await (await written).json();
  assert.ok(answer.cases.length >= 1, JSON.stringify(answer));
  assert.ok(answer.names[0]);
  assert.match(arsg(folder, "test"), /0 failed/);
  assert.match(readFileSync(join(folder, answer.files[0].name), "utf8"), new RegExp(answer.names[0]));
});

test("an exported tree is read back equal", async () => {
  await text(page, "台风");
  await page.locator('[data-tool="export"]').click();
  const saved = page.waitForEvent("download");
  await page.locator("#export-go").click();
  const path = join(folder, "out", "台风.rs3");
  await (await saved).saveAs(path);
  const { json: now } = await server.ask("export", { ids: ["台风"], format: "json" });
  writeFileSync(join(folder, "out", "own.json"), now.files[0].text);
  const tree = (file) => arsg(folder, "convert", file, "--to", "sexp").replace(/^@\S+\s*/, "").replace(/:[^\s()\]]+(?=[\s)])/g, "");
  const one = JSON.parse(arsg(folder, "convert", path, "--to", "json")), two = JSON.parse(now.files[0].text);
  const bare = (all) => all.nodes.map((own) => [own.span, own.roles, own.relation]);
  assert.deepEqual(bare(one), bare(two));
  assert.ok(tree);
  // And taken in again as another text.
  const { json: again } = await server.ask("import", { name: "台风2.rs3", content: readFileSync(path, "utf8") });
  const { json: copy } = await server.ask("open", { id: again.ids[0] });
  assert.ok(copy.complete);
  assert.deepEqual(copy.tree.nodes.map((own) => [own.span, own.roles, own.relation]), (await server.ask("open", { id: "台风" })).json.tree.nodes.map((own) => [own.span, own.roles, own.relation]));
  for (const format of ["rs4", "dis", "rsd", "svg", "sexp", "html"]) assert.equal((await server.ask("export", { ids: ["台风"], format })).json.files.length, 1, format);
});

test("a picture is saved", async () => {
  await page.locator('[data-tool="export"]').click();
  await page.locator("#format").selectOption("png");
  const saved = page.waitForEvent("download");
  await page.locator("#export-go").click();
  const bytes = readFileSync(await (await saved).path());
  assert.equal(bytes.subarray(1, 4).toString(), "PNG");
  assert.ok(bytes.length > 5000);
});

test("two labels are compared, and a side is taken", async () => {
  const other = { "x-arsg-name": encodeURIComponent("李雷") };
  const { json: theirs } = await server.ask("open", { id: "台风" }, other);
  await server.ask("act", { id: "台风", version: theirs.version, act: "adopt" }, other);
  assert.equal(label(folder, "台风", "labels-李雷")[0].annotator, "李雷");
  await page.keyboard.press("5");
  await page.waitForSelector(".differences .choice");
  await page.locator(".compare select").first().selectOption("李雷");
  await page.waitForTimeout(400);
  await page.locator(".compare select").nth(1).selectOption("测试员");
  await page.waitForTimeout(400);
  await page.locator(".differences .choice").filter({ hasText: /relation|nuclearity/ }).first().click();
  const taken = await settled(page, () => page.locator("#take-left").click());
  assert.equal(taken.history[0].what, "take");
  await accessible("compare");
});

test("a second window is told, and nobody's work is overwritten", async () => {
  const second = await open(chrome, server);
  await text(second, "台风");
  const { json: now } = await server.ask("open", { id: "台风" });
  await text(page, "台风");
  await page.keyboard.press("1");
  await node(page, "1-1").click();
  await settled(page, () => page.keyboard.press("x"));
  const { status, json } = await server.ask("act", { id: "台风", version: now.version, act: "undo" });
  assert.equal(status, 409);
  assert.equal(json.kind, "behind");
  await second.waitForSelector(".toast", { timeout: 8000 });
  assert.ok(await second.locator(".warn").count());
  await settled(page, () => page.keyboard.press("z"));
  await second.context().close();
});

test("a label that another program holds can only be looked at", async () => {
  const other = await serve(folder);
  const { json: held } = await server.ask("open", { id: "台风" });
  const { json: looked } = await other.ask("open", { id: "台风" });
  assert.ok(looked.busy, "the lock is the journal's own");
  const { status } = await other.ask("act", { id: "台风", version: held.version, act: "undo" });
  assert.equal(status, 409);
  await other.stop();
});

test("the grammar editor: problems, completion, what a change does, saving", async () => {
  await go(page, "#/grammar");
  await page.waitForSelector("#source");
  await until(page, () => document.querySelector("#problems").textContent.length > 0);
  const source = page.locator("#source");
  const old = await source.inputValue();
  await source.focus();
  await page.evaluate(() => { const area = document.querySelector("#source"); area.setSelectionRange(area.value.length, area.value.length); });
  await page.keyboard.type("\n_[causal-cuase] <- _:S _:N  x 3\n");
  await page.waitForSelector(".squiggle", { timeout: 20000 });
  assert.match(await page.locator("#problems").innerText(), /causal-cause/);
  await accessible("the editor");
  await source.fill(`${old}\n## 台风 before what it does.\nrule typhoon-first\n  _[causal-cause] <- _:S _:N  x 40\n  when A.cue = because\n`);
  await page.waitForTimeout(600);
  await page.evaluate(() => { const area = document.querySelector("#source"); area.setSelectionRange(area.value.length, area.value.length); });
  await page.keyboard.type("_[joint-l");
  await page.waitForSelector(".popup .option", { timeout: 20000 });
  assert.match(await page.locator(".popup").innerText(), /joint-list/);
  await page.keyboard.press("Escape");
  for (let i = 0; i < 9; i += 1) await page.keyboard.press("Backspace");
  await page.locator("#effect").click();
  await page.waitForSelector("#cases", { timeout: 120000 });
  assert.equal(readFileSync(join(folder, "grammars/finance.arsg"), "utf8"), old, "nothing is written behind anybody's back");
  await page.locator("#save-file").click();
  await page.waitForSelector(".toast", { timeout: 20000 });
  assert.match(readFileSync(join(folder, "grammars/finance.arsg"), "utf8"), /typhoon-first/);
});

test("a summary's lines lead to their nodes", async () => {
  await go(page, "#/texts");
  await page.waitForSelector(".line");
  for (let i = 0; i < 3; i += 1) await page.locator(".line input").nth(i).click();
  await accessible("the list");
  await go(page, "#/summary");
  await page.waitForSelector(".summary-lines li", { timeout: 60000 });
  await accessible("the summary");
  await page.locator(".summary-lines a").first().click();
  await page.waitForSelector("svg.tree .node.selected");
});

test("texts are data: markup, quotes and very long lines", async () => {
  const evil = `<script>window.hacked=1</script>他说：“<img src=x onerror=window.hacked=2>好。”\n"'&amp;<b>粗</b>${"很长的句子没有尽头，".repeat(120)}`;
  const { json } = await server.ask("paste", { text: evil, name: `"><script>window.hacked=3</script>` });
  await text(page, json.ids[0]);
  await page.waitForTimeout(300);
  assert.equal(await page.evaluate(() => window.hacked), undefined);
  assert.equal(await page.evaluate(() => document.querySelectorAll("#main script, #main img").length), 0);
  assert.match(await page.locator("#main").innerText(), /<script>/);
  await go(page, "#/texts");
  await page.waitForSelector(".line");
  assert.equal(await page.evaluate(() => window.hacked), undefined);
  const { json: line } = await server.ask("paste", { text: "油价上涨".repeat(2500), name: "一万字" });
  await text(page, line.ids[0]);
  assert.match(await page.locator(".full-text").innerText(), /(油价上涨){2400}/);
  assert.deepEqual(page.problems, []);
});

test("files that are dropped are taken in", async () => {
  await go(page, "#/texts");
  await page.waitForSelector(".line");
  const rs3 = readFileSync(join(folder, "out", "台风.rs3"), "utf8");
  await page.evaluate((content) => {
    const files = new DataTransfer();
    files.items.add(new File([content], "拖入.rs3"));
    document.body.dispatchEvent(new DragEvent("drop", { dataTransfer: files, bubbles: true, cancelable: true }));
  }, rs3);
  await until(page, () => location.hash.startsWith("#/text/"));
  await page.waitForSelector("svg.tree .node.edu");
});

test("English and Chinese, light and dark, and the indented list", async () => {
  await page.locator("#language").click();
  await until(page, () => document.documentElement.lang === "zh-CN");
  assert.match(await page.locator("#main").innerText(), /移进与归约/);
  await page.locator("#theme").click();
  await page.locator("#theme").click();
  assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), "dark");
  await accessible("dark and Chinese");
  await page.waitForSelector("svg.tree .node");
  await page.locator('[data-tool="list"]').click();
  await page.waitForSelector(".outline .row");
  await page.keyboard.press("ArrowDown");
  await accessible("the list of nodes");
  await page.locator('[data-tool="list"]').click();
  const chinese = await open(chrome, server, { lang: "zh-CN", theme: "dark" });
  assert.equal(await chinese.evaluate(() => document.documentElement.lang), "zh-CN");
  await chinese.context().close();
  await page.locator("#language").click();
});

test("the server is killed in the middle, and work goes on", async () => {
  await text(page, "台风");
  const { json: before } = await server.ask("open", { id: "台风" });
  await server.stop("SIGKILL");
  const again = await serve(folder, "--port", server.port, "--token", server.token);
  server = again;
  await page.waitForTimeout(3200);
  await node(page, "1-1").click();
  const after = await settled(page, () => page.keyboard.press("x"));
  assert.equal(after.version, before.version + 1);
  assert.deepEqual(page.problems, []);
});
