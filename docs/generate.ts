/** Writes the pages of docs/api that are made of the declarations of the calls. */
import { findCalls } from "../lib/server/http/find_calls.ts";
import { referencePages } from "../lib/server/openapi/reference.ts";

const calls = await findCalls(new URL("../routes/", import.meta.url));
for (const [name, text] of referencePages(calls)) {
  await Deno.writeTextFile(new URL(`api/${name}`, import.meta.url), text);
}
