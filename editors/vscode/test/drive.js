// Drives `arsg lsp` by the compiled code of the extension and a plain protocol client: what a headless editor would do.
//
//   node test/drive.js [ARSG]      the command to drive; else $ARSG, else `arsg` on the path

"use strict";

const assert = require("node:assert");
const child = require("node:child_process");
const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");
const url = require("node:url");
const rpc = require("vscode-languageserver-protocol/node");
const { grammarFor, parseRequest, start, treePage } = require("../out/server.js");

async function main() {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "arsg-drive-"));
  const run = start(process.argv[2] ?? process.env.ARSG ?? "arsg", process.cwd());
  child.execFileSync(run.command, ["-q", "init", "."], { cwd: folder });
  const server = child.spawn(run.command, run.args, { cwd: folder, stdio: ["pipe", "pipe", "inherit"] });
  const connection = rpc.createProtocolConnection(server.stdout, server.stdin);
  const told = new Map();
  let heard = () => {};
  connection.onNotification("textDocument/publishDiagnostics", (params) => {
    told.set(params.uri, params);
    heard();
  });
  connection.onRequest("client/registerCapability", () => null);
  connection.listen();
  const uri = (name) => url.pathToFileURL(path.join(folder, name)).href;
  const greeting = await connection.sendRequest("initialize", {
    processId: process.pid,
    capabilities: { workspace: { didChangeWatchedFiles: { dynamicRegistration: true } } },
    workspaceFolders: [{ uri: url.pathToFileURL(folder).href, name: "news" }],
    initializationOptions: { shelf: path.join(folder, ".shelf") },
  });
  assert.strictEqual(greeting.serverInfo.name, "arsg");
  await connection.sendNotification("initialized", {});

  // A wrong relation, told with its way out.
  const causes = "grammars/causes.arsg";
  const text = fs.readFileSync(path.join(folder, causes), "utf8").replace("[causal-cause]", "[causal-cuase]");
  const told_once = new Promise((resolve) => (heard = resolve));
  await connection.sendNotification("textDocument/didOpen", {
    textDocument: { uri: uri(causes), languageId: "arsg", version: 1, text },
  });
  await told_once;
  const [problem] = told.get(uri(causes)).diagnostics;
  assert.strictEqual(problem.code, "G018");
  const [action] = await connection.sendRequest("textDocument/codeAction", {
    textDocument: { uri: uri(causes) },
    range: problem.range,
    context: { diagnostics: [problem] },
  });
  assert.strictEqual(action.title, "write `causal-cause`");

  // The tree of a text, with the project's grammar as the extension finds it.
  const grammar = grammarFor(path.join(folder, "texts/today.txt"), "", folder);
  assert.strictEqual(grammar, path.join(folder, "grammars/finance.arsg"));
  const mended = text.replace("[causal-cuase]", "[causal-cause]");
  await connection.sendNotification("textDocument/didChange", {
    textDocument: { uri: uri(causes), version: 2 },
    contentChanges: [{ text: mended }],
  });
  const parsed = await connection.sendRequest(
    "workspace/executeCommand",
    parseRequest(url.pathToFileURL(grammar).href, "由于需求疲软，国际油价下跌。"),
  );
  assert.match(parsed.drawn, /causal-cause/);
  assert.match(treePage(parsed), /<svg[^]*causal-cause[^]*<\/svg>/);
  assert.match(parsed.explained, /<html/);

  await connection.sendRequest("shutdown");
  await connection.sendNotification("exit");
  const code = await new Promise((resolve) => server.on("exit", resolve));
  assert.strictEqual(code, 0);
  connection.dispose();
  fs.rmSync(folder, { recursive: true });
  console.log("the extension drives the server: problems, fixes, trees");
}

main().catch((error) => {
  console.error(error);
  process.exit(1);
});
