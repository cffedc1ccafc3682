import type { Context } from "fresh";
import type { EntryPath } from "../../../../lib/shared/path.ts";
import { heldBySearch } from "../../../../lib/server/files/search/search.ts";
import type { State } from "../../../../lib/server/http/define.ts";
import { reserveMemory } from "../../../../lib/server/http/middleware/heavy_answers.ts";
import { accessFor } from "../../../../lib/server/http/request/access_for.ts";
import { jsonTextAnswer } from "../../../../lib/server/http/response/answers.ts";
import { schemaNamed } from "../../../../lib/server/http/openapi/answers.ts";
import type { CallDescription } from "../../../../lib/server/http/openapi/call.ts";
import { parameterNamed } from "../../../../lib/server/http/openapi/parameters.ts";

/** Lists all entries below a folder; answered by the address of an entry. */
export const listTree: CallDescription = {
  id: "listTree",
  tag: "Resources",
  summary: "List everything below a folder",
  description:
    "Returns one array of all entries at every depth, each folder before its entries, sent " +
    "while the folders are read. Links to folders are listed but not entered. Entries that " +
    "a rule denies and hidden ones are left out.\n\n" +
    "This address is also that of an entry at the root called `recursive`, for GET alone. " +
    "HEAD describes that entry, and so does GET with any of `offset`, `limit`, `around`, " +
    "`startsWith`, `filter`, `sort`, `order` and `checksum`.",
  token: "read",
  parameters: [parameterNamed("Path")],
  answers: {
    200: {
      description: "All entries.",
      content: {
        "application/json": { schema: { type: "array", items: schemaNamed("TreeEntry") } },
      },
    },
  },
  refusals: ["invalid_path", "not_found", "busy"],
  examples: `
$ curl -s $CUBBY/api/resources/recursive/photos -H "X-Auth: $TOKEN" | jq -r .[0].isDir
false
$ curl "$CUBBY/api/resources/recursive?offset=0" -H "X-Auth: $TOKEN"
Cannot read "/recursive": it is not there
`,
};

/**
 * Answers with all entries below a folder, as one array that is sent while the folder is walked.
 */
export async function treeAnswer(ctx: Context<State>, folder: EntryPath): Promise<Response> {
  const access = accessFor(ctx);
  access.folder(folder);
  await reserveMemory(ctx, heldBySearch);
  const { listingWorker } = ctx.state.cubby;
  const { signal } = ctx.req;
  const { stream } = await listingWorker.tree({ access, path: folder }, { signal });
  return jsonTextAnswer(stream.read());
}
