// How the server is started and what is asked of it: nothing here needs an editor, so that a script can drive it.

import * as fs from "node:fs";
import * as path from "node:path";

/** What `arsg.parse` answers. */
export interface ParsedText {
  /** The tree, drawn with letters. */
  drawn: string;
  /** The tree as a picture. */
  svg: string;
  /** A page in which every step unfolds into its reasons. */
  explained: string;
}

/** How `arsg` is started. */
export interface Start {
  command: string;
  args: string[];
}

/** The command of the setting: a name on the path stays, a file is taken from the folder of the workspace. */
export function start(setting: string, folder: string | undefined): Start {
  const named = setting.trim() === "" ? "arsg" : setting.trim();
  const isFile = named.includes("/") || named.includes("\\");
  const command = isFile && folder !== undefined ? path.resolve(folder, named) : named;
  return { command, args: ["lsp"] };
}

/** The grammar that a text is parsed with: the one in the editor, the one of the setting, the project's. */
export function grammarFor(editor: string, setting: string, folder: string | undefined): string | undefined {
  if (editor.endsWith(".arsg")) {
    return editor;
  }
  if (setting.trim() !== "") {
    return folder === undefined ? setting : path.resolve(folder, setting);
  }
  for (let at = path.dirname(editor); ; at = path.dirname(at)) {
    const project = path.join(at, "arsg.toml");
    if (fs.existsSync(project)) {
      const named = /^\s*grammar\s*=\s*["']([^"']+)["']/m.exec(fs.readFileSync(project, "utf8"));
      // A name without a dot is that of a shipped grammar, which has no file here.
      return named !== null && named[1].includes(".") ? path.join(at, named[1]) : undefined;
    }
    if (path.dirname(at) === at) {
      return undefined;
    }
  }
}

/** What the server is asked to parse a text. */
export function parseRequest(uri: string, text: string): { command: string; arguments: string[] } {
  return { command: "arsg.parse", arguments: [uri, text] };
}

/** A page with the picture of a tree. Nothing on it runs. */
export function treePage(parsed: ParsedText): string {
  return `<!DOCTYPE html>
<html>
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">
<style>body { background: #fff; color: #000; overflow: auto; } svg { max-width: none; }</style>
</head>
<body>${parsed.svg}</body>
</html>`;
}
