// A server that is killed loses nothing that it acknowledged. ARSG_KILLS says how often it is killed.

import assert from "node:assert/strict";
import { test } from "node:test";
import { project, serve } from "./stage.mjs";

const KILLS = Number(process.env.ARSG_KILLS || 20);

test(`${KILLS} kills in the middle of edits lose no acknowledged action`, async () => {
  const folder = project();
  const id = "oil-stocks-flash";
  let acknowledged = 0, done = 0, seed = 7;
  const random = () => { seed = (seed * 1103515245 + 12345) % 2147483648; return seed / 2147483648; };
  for (let kill = 0; kill < KILLS; kill += 1) {
    const server = await serve(folder);
    const { json: state } = await server.ask("open", { id });
    assert.ok(state.version >= acknowledged, `kill ${kill}: ${state.version} actions on disk, ${acknowledged} were acknowledged`);
    let { version } = state;
    const edus = state.tree.edus.length;
    let gone = false;
    const timer = setTimeout(() => { gone = true; server.child.kill("SIGKILL"); }, 5 + random() * 60);
    while (!gone) {
      const first = 1 + Math.floor(random() * (edus - 1));
      const acts = [{ edit: { unlink: { node: [first, first] } } }, "undo", "redo", { edit: { attach: { node: [first, first], to: [first + 1, first + 1], role: "S", relation: "elaboration-additional" } } }, { remark: { note: { span: [first, first], text: `第${kill}次` } } }, "adopt"];
      const act = acts[Math.floor(random() * acts.length)];
      try {
        const answer = await server.ask("act", { id, version, act });
        if (answer.status === 200) { version = answer.json.version; acknowledged = version; done += 1; }
      } catch { break; }
    }
    clearTimeout(timer);
    if (!gone) await server.stop();
  }
  const server = await serve(folder);
  const { json: last } = await server.ask("open", { id });
  assert.ok(last.version >= acknowledged);
  console.log(`${KILLS} kills, ${done} actions acknowledged, ${last.version} on disk`);
  await server.stop();
});
