// How fast it is: a long tree, an edit in it, a long list. Figures are printed; only gross slowness fails.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { writeFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { browser, go, open, project, serve, settled, text, until } from "./stage.mjs";

let folder, server, chrome, page;

before(async () => {
  folder = project();
  mkdirSync(join(folder, "texts"), { recursive: true });
  const clauses = ["由于需求疲软，", "油价继续下跌，", "分析人士表示，", "市场仍在观望。", "尽管如此，", "部分企业已经增产，", "库存随之上升。"];
  const long = Array.from({ length: 51 }, (_, p) => clauses.map((clause, i) => `${i === 3 ? `第${p + 1}周` : ""}${clause}`).join("")).join("\n");
  writeFileSync(join(folder, "texts", "长文.txt"), long);
  const lines = Array.from({ length: 1000 }, (_, i) => JSON.stringify({ id: `n${i}`, title: `第${i}篇：油价下跌`, text: `由于需求疲软，油价下跌${i}美元。市场观望。` }));
  writeFileSync(join(folder, "texts", "thousand.jsonl"), `${lines.join("\n")}\n`);
  server = await serve(folder);
  chrome = await browser();
  page = await open(chrome, server);
});

after(async () => { await chrome?.close(); await server?.stop(); });

test("a tree of 300 EDUs opens, and an edit shows", async () => {
  const { json: first } = await server.ask("open", { id: "长文" });
  const edus = first.tree.edus.length;
  assert.ok(edus >= 290, `${edus}`);
  const start = Date.now();
  await text(page, "长文");
  const opened = Date.now() - start;
  // An edit with everything unfolded is the slowest.
  await page.locator('[data-tool="unfold"]').click();
  await page.locator("svg.tree").focus();
  await page.keyboard.press("Home");
  const times = [];
  for (let i = 0; i < 6; i += 1) {
    await settled(page, () => page.keyboard.press(i % 2 ? "z" : "x"));
    times.push(await page.evaluate(() => window.arsg.lastEdit));
  }
  times.sort((a, b) => a - b);
  console.log(`a tree of ${edus} EDUs: opened in ${opened} ms, an edit shown in ${Math.round(times[2])} ms (median of ${times.length}, the slowest ${Math.round(times.at(-1))} ms)`);
  const drawn = await page.evaluate(() => document.querySelectorAll("svg.tree .node").length);
  assert.ok(drawn < edus, "only what can be seen is drawn");
  assert.ok(opened < 5000 && times[2] < 1500);
});

test("a list of 1,000 texts scrolls", async () => {
  await go(page, "#/texts");
  await page.waitForSelector(".line");
  const frames = await page.evaluate(async () => {
    const list = document.querySelector(".list");
    const times = [];
    let last = performance.now();
    for (let i = 0; i < 60; i += 1) {
      list.scrollTop += 700;
      await new Promise(requestAnimationFrame);
      times.push(performance.now() - last);
      last = performance.now();
    }
    return times.sort((a, b) => a - b);
  });
  console.log(`1,000 texts: a frame every ${frames[30].toFixed(1)} ms while scrolling, the slowest ${frames.at(-1).toFixed(1)} ms`);
  assert.ok(await page.evaluate(() => document.querySelectorAll(".line").length) < 60);
  await page.locator("#search").fill("第999篇");
  await until(page, () => document.querySelectorAll(".line").length === 1);
});
