/** Writes the files that are made of declarations and comments in the code. */
import { findCalls } from "../lib/server/http/find_calls.ts";
import { commandReference } from "../lib/server/cli/command_help.ts";
import { commands } from "../lib/server/cli/run_command.ts";
import { referencePages } from "../lib/server/http/openapi/reference.ts";
import { architectureReference } from "../tests/support/run/architecture_reference.ts";
import { readSources } from "../tests/support/run/imports.ts";
import { clientTypes } from "./client_types.ts";

const calls = await findCalls(new URL("../routes/", import.meta.url));
for (const [name, text] of referencePages(calls)) {
  await Deno.writeTextFile(new URL(`api/${name}`, import.meta.url), text);
}
await Deno.writeTextFile(
  new URL("../lib/client/base/api/declared_calls.d.ts", import.meta.url),
  await clientTypes(calls),
);
const sources = await readSources(new URL("../", import.meta.url));
await Deno.writeTextFile(
  new URL("architecture-reference.md", import.meta.url),
  architectureReference(sources),
);
await Deno.writeTextFile(new URL("cli.md", import.meta.url), await commandReference(commands));
