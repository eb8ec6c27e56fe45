// What all browser tests need: a project, a server on it, a page that looks at it.

import { spawn, execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";

export const ARSG = process.env.ARSG || new URL("../../target/debug/arsg", import.meta.url).pathname;
const CHROMIUM = process.env.CHROMIUM || "/usr/bin/chromium";

export function project() {
  const folder = join(mkdtempSync(join(tmpdir(), "arsg-workbench-")), "news");
  execFileSync(ARSG, ["init", folder], { stdio: "pipe" });
  return folder;
}

export const arsg = (folder, ...words) => execFileSync(ARSG, words, { cwd: folder, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });

// A server on a folder; `url` has its token.
export async function serve(folder, ...more) {
  const child = spawn(ARSG, ["serve", "--json", "--annotator", "测试员", ...more], { cwd: folder, stdio: ["ignore", "pipe", "pipe"] });
  const url = await new Promise((resolve, reject) => {
    let out = "", err = "";
    child.stdout.on("data", (data) => { out += data; if (out.includes("\n")) resolve(JSON.parse(out.split("\n")[0]).url); });
    child.stderr.on("data", (data) => { err += data; });
    child.on("exit", (code) => reject(new Error(`arsg serve ended with ${code}: ${err}`)));
  });
  const address = new URL(url);
  const token = address.searchParams.get("token");
  const ask = async (name, body = {}, headers = {}) => {
    const response = await fetch(`${address.origin}/api/${name}`, { method: "POST", body: typeof body === "string" ? body : JSON.stringify(body), headers: { authorization: `Bearer ${token}`, ...headers } });
    const text = await response.text();
    let json = null;
    try { json = JSON.parse(text); } catch { json = { error: text }; }
    return { status: response.status, headers: response.headers, json };
  };
  const stop = (signal = "SIGKILL") => new Promise((resolve) => { child.on("exit", resolve); child.kill(signal); });
  return { child, url, origin: address.origin, port: address.port, token, ask, stop };
}

export const browser = () => chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox"] });

export async function open(chrome, server, { lang = "en", theme = "light", size = { width: 1366, height: 768 } } = {}) {
  const context = await chrome.newContext({ viewport: size, locale: lang, colorScheme: theme, acceptDownloads: true });
  const page = await context.newPage();
  page.setDefaultTimeout(12000);
  page.problems = [];
  page.on("pageerror", (error) => page.problems.push(error.message));
  page.on("console", (message) => { if (message.text().includes("Content Security Policy")) page.problems.push(message.text()); });
  await page.goto(server.url);
  await page.waitForSelector("#main .bar, #main .empty");
  return page;
}

export async function go(page, hash) {
  await page.evaluate((wanted) => { location.hash = wanted; }, hash);
}

export async function text(page, id) {
  await go(page, `#/text/${encodeURIComponent(id)}`);
  await page.waitForSelector("svg.tree .node, .outline .row");
}

// Waits until what was done is shown, and says how many actions the label has.
export async function settled(page, act) {
  const before = await page.locator("#tab-history").count();
  const answer = page.waitForResponse((response) => response.url().endsWith("/api/act"));
  await act();
  const response = await answer;
  await page.waitForTimeout(60);
  return before ? response.json() : null;
}

export function label(folder, id, labels = "labels") {
  const name = readdirSync(join(folder, labels)).find((file) => file.startsWith(id) && file.endsWith(".label"));
  return readFileSync(join(folder, labels, name), "utf8").trim().split("\n").map((line) => JSON.parse(line));
}

// Waits until something holds in the page. The page's own policy forbids what Playwright does for that.
export async function until(page, holds, wait = 15000) {
  const end = Date.now() + wait;
  while (!(await page.evaluate(holds))) {
    if (Date.now() > end) throw new Error(`waited in vain for ${holds}`);
    await new Promise((resolve) => { setTimeout(resolve, 50); });
  }
}
