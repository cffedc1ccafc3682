import type { Context } from "fresh";
import type { SharedResource } from "../../../shared/schemas/entry.ts";
import type { State } from "../define.ts";
import { DomainError } from "../../../shared/errors.ts";
import type { DescribeOptions, Description } from "../../files/listing/describe.ts";
import { jsonAnswer, jsonTextAnswer } from "./answers.ts";
import type { Access } from "../../core/access/access.ts";
import type { EntryPath } from "../../../shared/path.ts";
import type { Sorting } from "../../../shared/schemas/view.ts";
import { ratiosOf } from "../../features/previews/media/ratios.ts";
import { reserveMemory } from "../middleware/heavy_answers.ts";
import { evaluateConditions } from "../request/preconditions.ts";
import { countOption, flagOption, groupingOption, sortingOption } from "../request/query.ts";
import { serverClock } from "../request/server_clock.ts";
import { sizesFor, takenFor, viewFor } from "../request/place_requests.ts";
import { sharedInFor } from "../request/lists/share_lists.ts";
import { signedInOf } from "../middleware/sign_in.ts";
import { accessFor } from "../request/access_for.ts";

/**
 * The options of a request for describing an entry. HEAD leaves out its content.
 *
 * @throws DomainError `invalid_option`, `not_signed_in`
 */
export function describeOptions(ctx: Context<State>): DescribeOptions {
  const query = ctx.url.searchParams;
  const withContent = ctx.req.method !== "HEAD";
  const { user } = signedInOf(ctx);
  const withView = flagOption(query, "view");
  const options = folderOptions(ctx, () => accessFor(ctx), user.sorting);
  return Object.assign(options, {
    groupBy: options.groupBy ?? (withView ? user.groupBy : undefined),
    isOrdered: query.has("sort") || query.has("groupBy"),
    viewOf: withView ? viewFor(ctx) : undefined,
    sizesIn: flagOption(query, "sizes") ? sizesFor(ctx) : undefined,
    sharedIn: sharedInFor(ctx, user),
    slashed: ctx.state.cubby.config.apiCompat === "2.63" && ctx.url.pathname.endsWith("/"),
    content: withContent,
    checksum: withContent ? query.get("checksum") ?? undefined : undefined,
  });
}

/**
 * The options of a request about the entries of a folder, for users and for visitors of a share.
 *
 * @param usual the order, unless the request says another
 * @throws DomainError `invalid_option`
 */
export function folderOptions(
  ctx: Context<State>,
  accessOf: () => Access,
  usual: Sorting,
): DescribeOptions {
  const query = ctx.url.searchParams;
  const offset = countOption(query, "offset");
  return {
    offset,
    limit: countOption(query, "limit"),
    around: query.get("around") || undefined,
    startsWith: query.get("startsWith") || undefined,
    filter: query.get("filter") || undefined,
    sorting: sortingOption(query, usual),
    groupBy: groupingOption(query),
    timeZone: serverClock(ctx.req).timeZone,
    get takenIn() {
      return takenFor(ctx, (offset ?? 0) === 0, accessOf());
    },
    // Deno makes it when it is asked for: a small folder is listed without.
    get signal() {
      return ctx.req.signal;
    },
    reserve: (bytes) => reserveMemory(ctx, bytes),
  };
}

/** For how long one request reads pictures that were not read before, in milliseconds. */
const readMs = 1_000;

/**
 * Answers with the aspect ratios of a folder's pictures.
 *
 * @param usual the order, unless the request says another
 * @throws DomainError as `ratiosOf()`; `invalid_option`
 */
export async function ratiosAnswer(
  ctx: Context<State>,
  access: Access,
  path: EntryPath,
  usual: Sorting,
): Promise<Response> {
  const { sorting, groupBy, filter, timeZone } = folderOptions(ctx, () => access, usual);
  const reads = flagOption(ctx.url.searchParams, "read") ? readMs : 0;
  const options = { sorting, groupBy, filter, timeZone, readMs: reads, signal: ctx.req.signal };
  return jsonAnswer(await ratiosOf(ctx.state.cubby.media, access, path, options));
}

/**
 * Answers with a described entry; 304 for a file that the client has cached.
 *
 * @throws DomainError `precondition_failed`, `busy`
 */
export async function descriptionAnswer(
  ctx: Context<State>,
  description: Description,
): Promise<Response> {
  if (description.etag === undefined) return await answerWith(ctx, description);

  const { etag, modified } = description;
  const result = evaluateConditions(ctx.req.headers, { etag, modified });
  if (result === "proceed") return await answerWith(ctx, description, { headers: { etag } });

  await dropDescription(description);
  if (result === "not_modified") return new Response(null, { status: 304, headers: { etag } });
  throw new DomainError("precondition_failed", "Cannot describe the file: it has changed");
}

async function answerWith(
  ctx: Context<State>,
  description: Description,
  init?: ResponseInit,
): Promise<Response> {
  if (description.kind === "json") return jsonTextAnswer(description.json, init);
  const json = JSON.stringify(description.resource);
  await reserveMemory(ctx, json.length);
  return jsonTextAnswer(json, init);
}

/** Stops the Worker that produces the description. */
async function dropDescription(description: Description): Promise<void> {
  if (description.kind === "json" && !Array.isArray(description.json)) {
    await description.json.cancel();
  }
}

/**
 * Answers the visitor of a share with a described entry and the fields of the share; of a file with
 * its ETag, which a save names.
 *
 * @param description of a folder, or of a file without its text
 * @throws DomainError `busy`
 */
export async function sharedAnswer(
  ctx: Context<State>,
  description: Description,
  share: Pick<SharedResource, "hash" | "token">,
): Promise<Response> {
  const { etag } = description;
  const init = etag === undefined ? {} : { headers: { etag } };
  if (description.kind === "resource") {
    const resource = { ...share, ...description.resource };
    return await answerWith(ctx, { ...description, resource }, init);
  }
  // The JSON of a large folder is spliced, not parsed and serialised again.
  const head = new TextEncoder().encode(`${JSON.stringify(share).slice(0, -1)},`);
  const { json } = description;
  if (!Array.isArray(json)) return jsonTextAnswer(ReadableStream.from(spliced(head, json)), init);
  const [first, ...rest] = json;
  if (!first) throw new Error("Cannot describe an entry: its JSON has no pages");
  return jsonTextAnswer([head, first.subarray(1), ...rest]);
}

/** A JSON object with other members before its own. */
async function* spliced(
  head: Uint8Array<ArrayBuffer>,
  json: ReadableStream<Uint8Array<ArrayBuffer>>,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  yield head;
  let brace = 1;
  for await (const page of json) {
    yield page.subarray(brace);
    brace = 0;
  }
}
