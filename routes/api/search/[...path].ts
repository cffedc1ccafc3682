import type { Context, RouteConfig } from "fresh";
import type { EntryPath } from "../../../lib/shared/path.ts";
import type { State } from "../../../lib/server/define.ts";
import { asArray, joined } from "../../../lib/server/contents/joined_results.ts";
import { type Question, questionOf } from "../../../lib/server/contents/question.ts";
import { acceptsLines } from "../../../lib/server/http/request/accepts.ts";
import { accessFor } from "../../../lib/server/http/request/access_for.ts";
import { reserveMemory } from "../../../lib/server/http/middleware/heavy_answers.ts";
import { methods } from "../../../lib/server/http/middleware/methods.ts";
import { flagOption } from "../../../lib/server/http/request/query.ts";
import { requestPath } from "../../../lib/server/http/request/request_path.ts";
import { checkSearch, heldBySearch, search } from "../../../lib/server/search/search.ts";

/** With and without a trailing slash, which the file's name alone does not match. */
export const config: RouteConfig = { routeOverride: "/api/search{/*}?" };

/** Searches the entries below a folder; results are streamed as they are found. */
export const handler = methods<State>({
  async GET(ctx) {
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
