/** Keeps an index until it is killed: `keeper_probe.ts ROOT INDEX`. */
import { Gate } from "../../../lib/server/access/gate.ts";
import { SERVER } from "../../../lib/server/access/viewer.ts";
import { IndexKeeper } from "../../../lib/server/contents/index_keeper.ts";

const [root = "", path = ""] = Deno.args;
await new IndexKeeper({
  path,
  access: new Gate({ root, reserved: [] }).enter(SERVER),
  reading: { mostBytes: 2 ** 20, readPdf: null },
  mostBytes: 2 ** 30,
  signal: new AbortController().signal,
  note: (sentence) => console.error(sentence),
}).run();
