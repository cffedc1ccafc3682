import type { Context } from "fresh";
import { DomainError } from "../../../../shared/errors.ts";
import { foldText } from "../../../../shared/fold.ts";
import { type ListPage, maxPageText } from "../../../../shared/list_page.ts";
import { wholeNumber } from "../../../../shared/whole_number.ts";
import type { State } from "../../define.ts";
import { jsonAnswer, jsonTextAnswer } from "../../response/answers.ts";
import { countOption } from "../query.ts";

/** Items of a page, unless the request says how many, and the most of one. */
const usualLimit = 100;
const maxListed = 1000;

/** The time after which a search for rare words stops where it is, in milliseconds. */
const timeoutMs = 100;

/** JSON up to this length is sent as a whole, in characters. */
const shortList = 64 * 1024;

/** Items, and text in them, in characters, that are read and sent together of a whole list. */
const maxBatchNames = 200;
const maxBatchLength = 64 * 1024;

/** The longest position in a list, in characters. */
const maxPositionLength = 300;

/** Which items of a list are wanted: those that contain all words, folded, in their text. */
export type Words = readonly string[];

/** A list of records, as it is read from the store and shown. */
export interface List<T, Shown> {
  /**
   * The records in their order, part by part.
   *
   * @param after the position behind which they begin
   */
  parts(after: string | undefined, words: Words): AsyncIterable<readonly T[]>;
  /** The position of a record in that order. */
  positionOf(item: T, words: Words): string;
  /** The text that is searched. */
  textOf(item: T): string;
  /** What the user of the request sees of some records. */
  show(items: readonly T[]): Promise<Shown[]> | Shown[];
  /** How many there are, where that is known without reading them. */
  total?(): Promise<number>;
}

/**
 * Answers a call with a list: with a page of it where the query asks for one by `limit`, `after` or
 * `query`, and otherwise with all of it, which is sent while it is read. The header `Link` leads to
 * the next page (RFC 8288).
 *
 * @throws {DomainError} `invalid_option`
 */
export async function listAnswer<T, Shown>(
  ctx: Pick<Context<State>, "url">,
  list: List<T, Shown>,
): Promise<Response> {
  const { searchParams: query } = ctx.url;
  if (!["limit", "after", "query"].some((name) => query.has(name))) {
    return await wholeAnswer(list);
  }
  const { items, next, total } = await listPage(ctx, list);
  const headers = new Headers();
  if (total !== undefined) headers.set("x-total-count", String(total));
  if (next !== null) {
    const more = new URLSearchParams(query);
    more.set("after", next);
    headers.set("link", `<?${more}>; rel="next"`);
  }
  return jsonAnswer(items, { headers });
}

/**
 * The page of a list that the query of a request asks for.
 *
 * @param of.limit items, unless the query says how many
 * @param of.name what the names in the query begin with, on pages with several lists
 * @throws {DomainError} `invalid_option`
 */
export async function listPage<T, Shown>(
  { url: { searchParams: query } }: Pick<Context<State>, "url">,
  list: List<T, Shown>,
  of: { limit?: number; name?: string } = {},
): Promise<ListPage<Shown>> {
  const { name = "" } = of;
  const limit = Math.min(countOption(query, `${name}limit`) || of.limit || usualLimit, maxListed);
  const after = query.get(`${name}after`) || undefined;
  if (after !== undefined && after.length > maxPositionLength) {
    throw new DomainError("invalid_option", "Cannot list the next page: the position is too long");
  }
  const sought = query.get(`${name}query`) ?? "";
  const words = foldText(sought.normalize("NFC")).split(/\s+/).filter(Boolean);
  const { found, next } = await take(list, { after, limit, words });
  return {
    items: await list.show(found),
    next,
    query: sought,
    ...words.length === 0 && list.total && { total: await list.total() },
    ...after !== undefined && { isLater: true },
  };
}

/** All items of a list that is in memory; those that are found by words are told by their texts. */
export function listOf<T, Shown>(
  items: readonly T[],
  list: Omit<List<T, Shown>, "parts" | "total">,
): List<T, Shown> {
  return {
    ...list,
    async *parts(after, words) {
      const at = items.findIndex((item) => list.positionOf(item, words) === after);
      yield after === undefined ? items : items.slice(at < 0 ? items.length : at + 1);
    },
    total: () => Promise.resolve(items.length),
  };
}

/** A position that is a number. @throws {DomainError} `invalid_option` */
export function numberPosition(after: string | undefined): number | undefined {
  if (after === undefined) return undefined;
  const position = wholeNumber(after);
  if (position !== undefined) return position;
  throw new DomainError("invalid_option", `Cannot list the entries after "${after}": invalid id`);
}

async function take<T, Shown>(
  list: List<T, Shown>,
  { after, limit, words }: { after?: string; limit: number; words: Words },
): Promise<{ found: T[]; next: string | null }> {
  const deadline = performance.now() + timeoutMs;
  const found: T[] = [];
  let length = 0;
  let last: T | undefined;
  for await (const part of list.parts(after, words)) {
    for (const item of part) {
      if (last !== undefined && (found.length === limit || length >= maxPageText)) {
        return { found, next: list.positionOf(last, words) };
      }
      last = item;
      const text = list.textOf(item);
      const folded = words.length === 0 ? "" : foldText(text);
      if (!words.every((word) => folded.includes(word))) continue;
      found.push(item);
      length += text.length;
    }
    if (last !== undefined && words.length > 0 && performance.now() > deadline) {
      return { found, next: list.positionOf(last, words) };
    }
  }
  return { found, next: null };
}

/**
 * The JSON of a whole list. What is short has a length; of what is long the rest is read while it is
 * sent, so that a reader that is slow, or gone, stops the reading of the store.
 */
async function wholeAnswer<T, Shown>(list: List<T, Shown>): Promise<Response> {
  const source = chunksOf(list);
  let start = "";
  while (start.length < shortList) {
    const { done, value } = await source.next();
    if (done) return jsonTextAnswer(start);
    start += value;
  }
  const encoder = new TextEncoder();
  return jsonTextAnswer(
    new ReadableStream({
      start: (controller) => controller.enqueue(encoder.encode(start)),
      async pull(controller) {
        const { done, value } = await source.next();
        if (done) controller.close();
        else controller.enqueue(encoder.encode(value));
      },
      async cancel() {
        await source.return();
      },
    }, { highWaterMark: 0 }),
  );
}

async function* chunksOf<T, Shown>(list: List<T, Shown>): AsyncGenerator<string, void> {
  let before = "[";
  let some = await someAfter(list);
  for (let last = some.at(-1); last !== undefined; last = some.at(-1)) {
    const items = await list.show(some);
    if (items.length > 0) {
      yield before + items.map((item) => JSON.stringify(item)).join(",");
      before = ",";
    }
    some = await someAfter(list, list.positionOf(last, []));
  }
  yield before === "[" ? "[]" : "]";
}

/**
 * The first items behind a position. A part of a list may hold 200 paths of tens of thousands of
 * characters: while a slow client reads, the server holds only what it sends, and reads the rest
 * again.
 */
async function someAfter<T>(list: List<T, unknown>, after?: string): Promise<readonly T[]> {
  const some: T[] = [];
  let length = 0;
  for await (const part of list.parts(after, [])) {
    for (const item of part) {
      some.push(item);
      length += list.textOf(item).length;
      if (some.length === maxBatchNames || length >= maxBatchLength) return some;
    }
  }
  return some;
}
