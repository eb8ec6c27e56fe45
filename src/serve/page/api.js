// What the server is asked. Every call is a JSON message; `docs/workbench.md` describes them.

import { named } from "./words.js";

export class Refused extends Error {
  constructor(status, body) {
    super(body?.error || `HTTP ${status}`);
    this.status = status;
    this.kind = body?.kind || "failed";
    this.help = body?.help;
    this.problems = body?.problems || [];
  }
}

export const windowId = Math.random().toString(36).slice(2);

export async function call(name, ask = {}, more = {}) {
  let response;
  try {
    response = await fetch(`/api/${name}`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-arsg-name": encodeURIComponent(named() || "") },
      body: JSON.stringify(ask),
      ...more,
    });
  } catch (error) {
    throw new Refused(0, { error: "", kind: "offline" });
  }
  const text = await response.text();
  let body = null;
  try { body = JSON.parse(text); } catch { body = { error: text }; }
  if (!response.ok) throw new Refused(response.status, body);
  return body;
}
