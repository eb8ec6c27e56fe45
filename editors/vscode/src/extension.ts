// The extension: starts `arsg lsp`, and shows trees beside the text.

import * as vscode from "vscode";
import { ExecuteCommandRequest, LanguageClient, LanguageClientOptions, ServerOptions } from "vscode-languageclient/node";

import { ParsedText, grammarFor, parseRequest, start, treePage } from "./server";

let client: LanguageClient | undefined;
let panel: vscode.WebviewPanel | undefined;

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const command = (name: string, run: (...args: never[]) => unknown) =>
    context.subscriptions.push(vscode.commands.registerCommand(name, run));
  command("arsg.parseSelection", () => showParsed("drawn"));
  command("arsg.showTree", () => showParsed("tree"));
  command("arsg.explain", () => showParsed("explained"));
  command("arsg.restart", restart);
  command("arsg.show", showPlaces);
  await restart();
}

export async function deactivate(): Promise<void> {
  await client?.stop();
}

function folder(): string | undefined {
  return vscode.workspace.workspaceFolders?.[0]?.uri.fsPath;
}

function setting(name: string): string {
  return vscode.workspace.getConfiguration("arsg").get<string>(name) ?? "";
}

async function restart(): Promise<void> {
  await client?.stop();
  const run = start(setting("path"), folder());
  const server: ServerOptions = { run, debug: run };
  const options: LanguageClientOptions = {
    documentSelector: [
      { scheme: "file", language: "arsg" },
      { scheme: "file", language: "arsg-case" },
      { scheme: "file", pattern: "**/schemas/*.toml" },
    ],
    synchronize: { fileEvents: vscode.workspace.createFileSystemWatcher("**/*.{arsg,toml,case}") },
  };
  client = new LanguageClient("arsg", "arsg", server, options);
  try {
    await client.start();
  } catch (error) {
    client = undefined;
    void vscode.window.showErrorMessage(
      `\`${run.command} lsp\` cannot be started: ${String(error)}. Install arsg, or name it in the setting \`arsg.path\`.`,
    );
  }
}

/** The places that a line over a rule speaks of, as the editor lists references. */
async function showPlaces(uri: string, position: never, places: never[]): Promise<void> {
  if (client === undefined) {
    return;
  }
  const convert = client.protocol2CodeConverter;
  await vscode.commands.executeCommand(
    "editor.action.showReferences",
    convert.asUri(uri),
    convert.asPosition(position),
    (places as never[]).map((place) => convert.asLocation(place)),
  );
}

async function showParsed(what: "drawn" | "tree" | "explained"): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  if (client === undefined || editor === undefined) {
    return;
  }
  const text = editor.document.getText(editor.selection.isEmpty ? undefined : editor.selection);
  const grammar = grammarFor(editor.document.uri.fsPath, setting("grammar"), folder());
  if (grammar === undefined) {
    void vscode.window.showErrorMessage("No grammar: name one in `arsg.toml`, or in the setting `arsg.grammar`.");
    return;
  }
  const uri = client.code2ProtocolConverter.asUri(vscode.Uri.file(grammar));
  try {
    const parsed: ParsedText = await client.sendRequest(ExecuteCommandRequest.type, parseRequest(uri, text));
    if (what === "drawn") {
      const document = await vscode.workspace.openTextDocument({ content: parsed.drawn });
      await vscode.window.showTextDocument(document, vscode.ViewColumn.Beside, true);
    } else {
      show(what === "tree" ? treePage(parsed) : parsed.explained, what === "explained");
    }
  } catch (error) {
    void vscode.window.showErrorMessage(error instanceof Error ? error.message : String(error));
  }
}

/** A page beside the text; a second one takes the place of the first. */
function show(page: string, scripts: boolean): void {
  panel?.dispose();
  const own = vscode.window.createWebviewPanel(
    "arsg.tree",
    scripts ? "arsg: steps" : "arsg: tree",
    { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true },
    { enableScripts: scripts, localResourceRoots: [] },
  );
  own.webview.html = page;
  own.onDidDispose(() => {
    if (panel === own) {
      panel = undefined;
    }
  });
  panel = own;
}
