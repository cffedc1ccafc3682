/** Keeps an index until it is killed: `indexer_probe.ts ROOT INDEX`. */
import { Gate } from "../../../lib/server/core/access/gate.ts";
import { SERVER } from "../../../lib/server/core/access/viewer.ts";
import { ContentIndexer } from "../../../lib/server/features/contents/content_indexer.ts";

const [root = "", path = ""] = Deno.args;
await new ContentIndexer({
  path,
  access: new Gate({ root, reserved: [] }).enter(SERVER),
  reading: { maxBytes: 2 ** 20, readPdf: null },
  maxBytes: 2 ** 30,
  signal: new AbortController().signal,
  note: (sentence) => console.error(sentence),
}).run();
