import type { Context, RouteConfig } from "fresh";
import type { EntryPath } from "../../../lib/shared/path.ts";
import { asArray, joined } from "../../../lib/server/features/contents/joined_results.ts";
import { type Question, questionOf } from "../../../lib/server/features/contents/question.ts";
import type { State } from "../../../lib/server/http/define.ts";
import { calls } from "../../../lib/server/http/calls.ts";
import { reserveMemory } from "../../../lib/server/http/middleware/heavy_answers.ts";
import { acceptsLines } from "../../../lib/server/http/request/accepts.ts";
import { accessFor } from "../../../lib/server/http/request/access_for.ts";
import { flagOption } from "../../../lib/server/http/request/query.ts";
import { pathRoute, requestPath } from "../../../lib/server/http/request/request_path.ts";
import { parameterNamed } from "../../../lib/server/http/openapi/parameters.ts";
import { schemaNamed } from "../../../lib/server/http/openapi/answers.ts";
import { checkSearch, heldBySearch, search } from "../../../lib/server/files/search/search.ts";

/** With and without a trailing slash, which the file's name alone does not match. */
export const config: RouteConfig = { routeOverride: pathRoute("/api/search/*?") };

/** The options of a query, in CommonMark. */
const queryOptions = `
| option | finds |
| --- | --- |
| \`*.jpg\`, \`IMG_????\`, \`[a-z]*\`, \`*.{jpg,png}\` | names that match the pattern as a whole, or hold it as it is written |
| \`case:sensitive\` | names that have the words in exactly this case, with these accents |
| \`type:folder\` | folders |
| \`type:image\`, \`audio\` (or \`music\`), \`video\`, \`pdf\` | files of that type |
| \`type:document\`, \`type:archive\` | texts, tables, slides and books; archives and disk images |
| \`type:EXT\` | files with that extension: \`type:tar.gz\` |
| \`size:>10mb\`, \`size:<1.5gb\` | files of at least or at most that size; \`b\`, \`kb\` to \`tb\`, of 1000 |
| \`modified:>2026-01-31\`, \`modified:<2026-01-31\` | entries changed on that day or later, or before it, in UTC |
| \`modified:12h\`, \`7d\`, \`2w\`, \`1y\` | entries changed in the last hours, days, weeks, years |
| \`content:budget\`, \`content:inv*\`, \`content:"annual report"\` | files with that word, such a word, or that phrase in their text |
`.trim();

/** Searches the entries below a folder; results are streamed as they are found. */
export const handler = calls({
  GET: {
    id: "search",
    tag: "Resources",
    summary: "Search below a folder",
    description:
      "Finds entries by their names, with the words and options of `query`. Results are " +
      "sent as they are found, nearer ones first, without a limit to their number. Links to " +
      "folders are found but not entered. Paths are relative to the folder that is " +
      "searched.\n\n" +
      "The answer is an array, or with `Accept: application/x-ndjson`, and always with " +
      "`--api-compat 2.63`, one object a line.\n\n" +
      `${queryOptions}\n\n` +
      "Several types are alternatives; all other conditions must be true together.\n\n" +
      "`contents=true`, or `content:` in the query, also finds files by their text, where " +
      "the settings allow it; elsewhere the call is 501 `not_supported`. A word matches " +
      "whole, in any case and with or without accents, best as it was typed; one that ends with `*` matches all " +
      "words that start so. With `content:`, the other words are for the name. The best 500 " +
      "files come after those found by name, each file once, with a `snippet` (plain text " +
      "in pieces, of which the second, the fourth and so on are hits) and the `line` of the " +
      "first hit. Searching content needs the permission to download.",
    token: "read",
    parameters: [
      parameterNamed("Path"),
      {
        name: "query",
        in: "query",
        required: true,
        description:
          "Words and options, at most 1,000 characters. All words must be in the name, in " +
          "any order, in any case, with or without accents, in either width; a phrase in " +
          "quotes is one word, without wildcards.",
        schema: { type: "string", minLength: 1 },
        example: 'holiday "new york" type:image',
      },
      {
        name: "details",
        in: "query",
        description: "`true` adds `size` and `modified` to each result.",
        schema: { type: "boolean", default: false },
      },
      {
        name: "contents",
        in: "query",
        description: "`true` finds files with the words in their text, too; a word that ends " +
          "with `*` stands for all that begin so.",
        schema: { type: "boolean", default: false },
      },
    ],
    answers: {
      200: {
        description: "What was found.",
        content: {
          "application/json": {
            schema: { type: "array", items: schemaNamed("SearchResult") },
          },
          "application/x-ndjson": { schema: schemaNamed("SearchResult") },
        },
      },
    },
    refusals: [
      "invalid_path",
      "invalid_option",
      "forbidden",
      "not_found",
      "busy",
      "not_supported",
    ],
    examples: `
$ curl -G $CUBBY/api/search/ --data-urlencode 'query=sky type:image' -H "X-Auth: $TOKEN"
[{"path":"photos/sky, blue.jpg","dir":false}]
$ curl -N -G $CUBBY/api/search/ --data-urlencode 'query=film' -H "X-Auth: $TOKEN" -H 'Accept: application/x-ndjson'
{"path":"film.srt","dir":false}

$ curl -i $CUBBY/api/search/ -H "X-Auth: $TOKEN"
HTTP/1.1 400 Bad Request
content-type: text/plain; charset=utf-8

Cannot search: the query is empty
$ curl -G $CUBBY/api/search/ --data-urlencode 'query=content:budget' -H "X-Auth: $TOKEN"
Cannot search in "/": content search is off
`,
    async handle(ctx) {
      const { path } = requestPath(ctx, "search");
      const { searchParams } = ctx.url;
      const details = flagOption(searchParams, "details");
      const { contents, config: { apiCompat } } = ctx.state.cubby;
      const access = accessFor(ctx);
      const query = checkSearch(access, path, searchParams.get("query") ?? "");
      const question = questionOf(query, flagOption(searchParams, "contents"), details);
      if (question) await contents.check(access, path);
      const isLines = acceptsLines(ctx.req) || apiCompat === "2.63";
      const type = isLines ? "application/x-ndjson" : "application/json";
      const headers = { "content-type": `${type}; charset=utf-8` };
      if (ctx.req.method === "HEAD") return new Response(null, { headers });
      await reserveMemory(ctx, heldBySearch);
      const results = question ? await withContents(ctx, path, question) : await search(
        access,
        ctx.state.cubby.listingWorker,
        path,
        query,
        { format: isLines ? "lines" : "json", details },
        ctx.req.signal,
      );
      return new Response(question && !isLines ? asArray(results) : results, { headers });
    },
  },
});

/** The results by name, then those by content: one a line. */
async function withContents(
  ctx: Context<State>,
  path: EntryPath,
  question: Question,
): Promise<ReadableStream<Uint8Array<ArrayBuffer>>> {
  const { contents, listingWorker } = ctx.state.cubby;
  const { signal } = ctx.req;
  const access = accessFor(ctx);
  const inContents = () => contents.search(access, path, question, signal);
  if (question.names === "with_terms") return await inContents();
  const { query, details } = question;
  const options = { format: "lines" as const, details };
  return joined(await search(access, listingWorker, path, query, options, signal), inContents);
}
