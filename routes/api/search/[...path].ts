import type { Context, RouteConfig } from "fresh";
import { type EntryPath, ROOT } from "../../../lib/shared/path.ts";
import {
  asArray,
  joined,
  type NextResults,
} from "../../../lib/server/features/contents/joined_results.ts";
import { type Question, questionOf } from "../../../lib/server/features/contents/question.ts";
import type { State } from "../../../lib/server/http/define.ts";
import { calls } from "../../../lib/server/http/calls.ts";
import { reserveMemory } from "../../../lib/server/http/middleware/heavy_answers.ts";
import { acceptsLines } from "../../../lib/server/http/request/accepts.ts";
import { accessFor } from "../../../lib/server/http/request/access_for.ts";
import { flagOption } from "../../../lib/server/http/request/query.ts";
import { pathRoute, requestPath } from "../../../lib/server/http/request/request_path.ts";
import { parameterNamed } from "../../../lib/server/http/openapi/parameters.ts";
import { serverClock } from "../../../lib/server/http/request/server_clock.ts";
import { withTaken } from "../../../lib/server/features/previews/media/taken_results.ts";
import { schemaNamed } from "../../../lib/server/http/openapi/answers.ts";
import { type SearchOptions, wholePart } from "../../../lib/server/files/search/query.ts";
import { checkSearch, heldBySearch, search } from "../../../lib/server/files/search/search.ts";

/** With and without a trailing slash, which the file's name alone does not match. */
export const config: RouteConfig = { routeOverride: pathRoute("/api/search/*?") };

/** For how long one search reads pictures that were not read before, in milliseconds. */
const readMs = 1_000;

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
| \`modified:today\`, \`2026\`, \`2026-01\`, \`2025-12-24..2026-01-06\` | entries changed on that day, in that year or month, or in that time |
| \`date:…\`, with the same values | pictures and videos taken in that time, and all else changed in it; in the zone of the cookie \`tz\` |
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
      "searched. With `elsewhere=true`, those of all other folders follow.\n\n" +
      "The answer is an array, or with `Accept: application/x-ndjson`, and always with " +
      "`--api-compat 2.63`, one object a line.\n\n" +
      `${queryOptions}\n\n` +
      "Several types are alternatives; all other conditions must be true together.\n\n" +
      "When a picture or video was taken is known to those who may download, once the server has " +
      "read the file: a search reads those of which nothing is kept for about a second, and takes " +
      "the date of the file for the rest.\n\n" +
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
      {
        name: "media",
        in: "query",
        description: "`true` adds `taken` and `ratio` to pictures and videos, where they are " +
          "known. The last item is a `SearchRest` if some are not known yet.",
        schema: { type: "boolean", default: false },
      },
      {
        name: "elsewhere",
        in: "query",
        description: "`true` goes on with the entries that are not below the folder. Their paths " +
          "begin with `/`, and start at the top of your scope.",
        schema: { type: "boolean", default: false },
      },
    ],
    answers: {
      200: {
        description: "What was found.",
        content: {
          "application/json": {
            schema: {
              type: "array",
              items: { anyOf: [schemaNamed("SearchResult"), schemaNamed("SearchRest")] },
            },
          },
          "application/x-ndjson": {
            schema: { anyOf: [schemaNamed("SearchResult"), schemaNamed("SearchRest")] },
          },
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
      const text = searchParams.get("query") ?? "";
      const query = checkSearch(access, path, text, serverClock(ctx.req));
      const tells = flagOption(searchParams, "media");
      const media = (tells || query.date !== null) && access.may("download");
      const question = questionOf(query, flagOption(searchParams, "contents"), details);
      if (question) await contents.check(access, path);
      const isLines = acceptsLines(ctx.req) || apiCompat === "2.63";
      const type = isLines ? "application/x-ndjson" : "application/json";
      const headers = { "content-type": `${type}; charset=utf-8` };
      if (ctx.req.method === "HEAD") return new Response(null, { headers });
      await reserveMemory(ctx, heldBySearch);
      const places = [{ path, part: wholePart }];
      if (flagOption(searchParams, "elsewhere") && path !== ROOT) {
        places.push({ path: ROOT, part: { prefix: "/", without: path } });
      }
      // Only one search by name writes an array by itself.
      const format = isLines || question || media || places.length > 1 ? "lines" : "json";
      const found = await joined(
        places.flatMap(({ path, part }) =>
          searchesIn(ctx, path, question, { query, details, media, format, ...part })
        ),
      );
      const options = { path, query, details, tells, readMs, signal: ctx.req.signal };
      const results = media ? withTaken(found, ctx.state.cubby.media, access, options) : found;
      return new Response(format === "lines" && !isLines ? asArray(results) : results, { headers });
    },
  },
});

/** The searches below a folder: by name, then by content. */
function searchesIn(
  ctx: Context<State>,
  path: EntryPath,
  question: Question | null,
  options: SearchOptions,
): NextResults[] {
  const { contents, listingWorker } = ctx.state.cubby;
  const { signal } = ctx.req;
  const { prefix, without } = options;
  const access = accessFor(ctx);
  const byName = (options: SearchOptions) => () =>
    search(access, listingWorker, path, options, signal);
  if (question === null) return [byName(options)];
  const byContent = () => contents.search(access, path, { ...question, prefix, without }, signal);
  if (question.names === "with_terms") return [byContent];
  return [byName({ ...options, query: question.query }), byContent];
}
