import type { Context, RouteConfig } from "fresh";
import { read } from "../../../lib/shared/schemas/read.ts";
import { maxFolders, sizesRequestSchema } from "../../../lib/shared/schemas/size.ts";
import type { State } from "../../../lib/server/http/define.ts";
import { calls } from "../../../lib/server/http/calls.ts";
import { reserveMemory } from "../../../lib/server/http/middleware/heavy_answers.ts";
import { accessFor } from "../../../lib/server/http/request/access_for.ts";
import { pathRoute, requestPath } from "../../../lib/server/http/request/request_path.ts";
import { linesAnswer } from "../../../lib/server/http/response/answers.ts";
import { wholeBody } from "../../../lib/server/http/openapi/json_body.ts";
import { parameterNamed } from "../../../lib/server/http/openapi/parameters.ts";
import { schemaNamed } from "../../../lib/server/http/openapi/answers.ts";
import { heldBySearch } from "../../../lib/server/files/search/search.ts";

/** With and without a trailing slash, which the file's name alone does not match. */
export const config: RouteConfig = { routeOverride: pathRoute("/api/sizes/*?") };

/** The sizes of the folders in a folder, each by itself. */
export const handler = calls({
  POST: {
    id: "sizes",
    tag: "Resources",
    summary: "Get the total size of each of some folders",
    description:
      "Adds up everything below each that you may see, as `GET /api/size/{path}` does. One " +
      "object a line: kept totals at once, which may be older, then new ones as they are " +
      "measured. The last line with a name is its result. Names of anything but folders are " +
      "left out, and so are links. Closing the connection ends the work; after five minutes " +
      "the totals so far are the result.\n\n" +
      "Totals are kept, and measured again after a change by the server anywhere below, after " +
      "one by another program right in the folder, and after a while: 20 times as long as " +
      "measuring takes, 10 seconds at least and an hour at most. " +
      `Without \`names\`, up to ${maxFolders} folders are measured whose totals are not known; ` +
      "an empty answer means that there are none.",
    token: "read",
    parameters: [parameterNamed("Path")],
    body: wholeBody(sizesRequestSchema),
    answers: {
      200: {
        description: "The totals, one object a line.",
        content: { "application/x-ndjson": { schema: schemaNamed("NamedSize") } },
      },
    },
    refusals: ["invalid_path", "not_found", "busy"],
    examples: `
$ curl $CUBBY/api/sizes/ -H "X-Auth: $TOKEN" --json '{"names": ["photos"]}'
{"name":"photos","bytes":31,"files":2,"folders":0,"unreadable":0,"isPartial":false}
`,
    async handle(ctx, body) {
      const { names } = read(sizesRequestSchema, body);
      return await sizesAnswer(ctx, names);
    },
  },
});

async function sizesAnswer(ctx: Context<State>, names?: string[]): Promise<Response> {
  const { path } = requestPath(ctx, "sizes");
  const access = accessFor(ctx);
  access.folder(path);
  await reserveMemory(ctx, heldBySearch);
  const { folderSizes } = ctx.state.cubby;
  return linesAnswer((signal) => folderSizes.measure(access, path, names, signal));
}
