import { DomainError } from "../../../shared/errors.ts";
import { joined } from "../../../shared/joined.ts";
import {
  type AskedAction,
  type AskedEntry,
  jobRequestSchema,
} from "../../../shared/schemas/job.ts";
import { read } from "../../../shared/schemas/read.ts";
import type { Pauses } from "../../core/concurrency/pauses.ts";
import { parseJsonObject } from "../request/json_body.ts";

/** Most values in a body: some more than the most entries have. */
const maxValues = 600_000;

/** Most levels of objects and lists in it: names are in the fourth. */
const maxLevels = 8;

/** The longest body without its entries, in bytes. */
const maxEnvelopeBytes = 64 * 1024;

const emptyList = new TextEncoder().encode("[]");

/** How many bytes of entries are parsed at once, where one has no more by itself. */
const chunkBytes = 32 * 1024;

/** How many bytes are looked at between two looks at the clock. */
const stretch = 16 * 1024;

const [quote, backslash, comma, colon, open, close, openList, closeList] = new TextEncoder()
  .encode('"\\,:{}[]');

/** A part of a body, from its first byte to that after its last. */
interface Range {
  start: number;
  end: number;
}

/** Elements of a list that follow each other, with the commas between them. */
interface Chunk extends Range {
  count: number;
}

/** Where the list of entries lies in a body. */
interface EntryList extends Range {
  chunks: Chunk[];
}

/** The body of a new job. */
export interface JobBody {
  action: AskedAction;
  entries: AskedEntry[];
}

/**
 * Reads the body of a new job in slices, so that its thread answers others meanwhile: parsing and
 * checking a hundred thousand entries at once takes seconds.
 *
 * @throws {DomainError} `invalid_json`; `invalid_body` for another shape, and too many values
 */
export async function readJobBody(
  body: Uint8Array<ArrayBuffer>,
  pauses: Pauses,
  checkMembers: (part: unknown) => Promise<void> = () => Promise.resolve(),
): Promise<JobBody> {
  const list = await findEntries(body, pauses);
  const envelope = list
    ? joined([body.subarray(0, list.start), emptyList, body.subarray(list.end)])
    : body;
  if (envelope.length > maxEnvelopeBytes) {
    throw refusedError(`without its entries it has over ${maxEnvelopeBytes} bytes`);
  }
  const object = parseJsonObject(envelope);
  await checkMembers(object);
  const { action, entries: none } = read(jobRequestSchema, object);
  const entries: AskedEntry[] = none;
  for (const { start, end, count } of list?.chunks ?? []) {
    if (pauses.isDue) await pauses.pause();
    const parsed = parseList(body.subarray(start, end));
    const isEmpty = parsed.length === 0 && count === 1 && list?.chunks.length === 1;
    if (parsed.length !== count && !isEmpty) throw invalidJsonError();
    try {
      await checkMembers({ entries: parsed });
      entries.push(...read(jobRequestSchema, { action, entries: parsed }).entries);
    } catch (error) {
      throw placed(error, entries.length);
    }
  }
  return { action, entries };
}

/** Finds the entries without parsing them. */
async function findEntries(body: Uint8Array, pauses: Pauses): Promise<EntryList | null> {
  let level = 0;
  let values = 0;
  /** The string before a colon is a name. */
  let lastString: Range = { start: 0, end: 0 };
  let isListNext = false;
  let list: EntryList | null = null;
  let isInList = false;
  let chunk: Chunk = { start: 0, end: 0, count: 0 };
  for (let index = 0, nextLook = stretch; index < body.length; index++) {
    if (index >= nextLook) {
      nextLook = index + stretch;
      if (pauses.isDue) await pauses.pause();
    }
    const byte = body[index];
    if (byte === quote) {
      const start = index;
      index = endOfString(body, index);
      lastString = { start, end: index + 1 };
    } else if (byte === colon) {
      if (level === 1) isListNext = isNamed(body, lastString, "entries");
    } else if (byte === open || byte === openList) {
      values++;
      if (++level > maxLevels) throw refusedError(`it has over ${maxLevels} levels`);
      if (level === 2 && byte === openList && isListNext) {
        if (list) throw refusedError(`it has "entries" twice`);
        list = { start: index, end: body.length, chunks: [] };
        isInList = true;
        chunk = { start: index + 1, end: 0, count: 1 };
      }
    } else if (byte === close || byte === closeList) {
      if (--level === 1 && isInList && list) {
        if (byte !== closeList) throw invalidJsonError();
        list.chunks.push({ ...chunk, end: index });
        list.end = index + 1;
        isInList = false;
      }
      if (level === 1) isListNext = false;
    } else if (byte === comma) {
      values++;
      if (isInList && level === 2 && list) {
        if (index - chunk.start < chunkBytes) chunk.count++;
        else {
          list.chunks.push({ ...chunk, end: index });
          chunk = { start: index + 1, end: 0, count: 1 };
        }
      }
    }
    if (values > maxValues) throw refusedError(`it has over ${maxValues} values`);
  }
  return list;
}

/** The index of the quote that ends a string; the length of the body where there is none. */
function endOfString(body: Uint8Array, start: number): number {
  for (let end = start + 1;; end++) {
    end = body.indexOf(quote ?? 0, end);
    if (end < 0) return body.length;
    let escapes = 0;
    while (body[end - 1 - escapes] === backslash) escapes++;
    if (escapes % 2 === 0) return end;
  }
}

function isNamed(body: Uint8Array, { start, end }: Range, name: string): boolean {
  // Each of its characters may be written as an escape of six.
  if (end - start > name.length * 6 + 2) return false;
  const [text] = parseList(body.subarray(start, end));
  return text === name;
}

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

function parseList(elements: Uint8Array): unknown[] {
  try {
    return JSON.parse(`[${decoder.decode(elements)}]`);
  } catch {
    throw invalidJsonError();
  }
}

/**
 * An error about a slice of the entries, with their indexes in the whole body.
 *
 * @param first the index of the first entry of the slice
 */
function placed(error: unknown, first: number): unknown {
  if (!(error instanceof DomainError)) return error;
  const message = error.message.replace(/\bentries\[(\d+)\]/, (_, index) => {
    return `entries[${first + Number(index)}]`;
  });
  return new DomainError(error.code, message, error.retryAfter, error.details);
}

function refusedError(reason: string): DomainError {
  return new DomainError("invalid_body", `Cannot read the request: ${reason}`);
}

function invalidJsonError(): DomainError {
  return new DomainError("invalid_json", "Cannot read the request: its body is not valid JSON");
}
