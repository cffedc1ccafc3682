import type { Access } from "../../../core/access/access.ts";
import { wallClock } from "../../../files/listing/taken_order.ts";
import { isInRange, type PlacedResult, type Query } from "../../../files/search/query.ts";
import { DomainError } from "../../../../shared/errors.ts";
import { type EntryPath, joinPaths, nameOf, parsePath, ROOT } from "../../../../shared/path.ts";
import type { SearchRest, SearchResult } from "../../../../shared/schemas/entry.ts";
import type { MediaInfo } from "../../../../shared/schemas/media.ts";
import { methodOf } from "../images/preview_method.ts";
import { type FolderFacts, takenTimeOf } from "./kept_facts.ts";
import type { Media } from "./media.ts";
import { ratioOf } from "./ratios.ts";

/** How the dates of pictures and videos matter to a search. */
export interface TakenOptions {
  /** The folder that is searched. */
  path: EntryPath;
  query: Pick<Query, "date" | "timeZone">;
  /** Whether results have their size and modification time. */
  details: boolean;
  /** Whether results tell of their facts, and the end of what is not known. */
  tells: boolean;
  /** Whether a time is told with the offset from UTC that the file has, which is UTC without one. */
  isZoned?: boolean;
  /** For how long to read files of which nothing is known yet, in milliseconds. */
  readMs: number;
  signal: AbortSignal;
}

/** Files that are read at a time. */
const atOnce = 2;

/**
 * Files that wait to be read, at most; of more those beyond have the date of the file. They take
 * some 500 bytes each.
 */
const maxUnread = 4_000;

/** A picture or video of which nothing is known yet. */
interface Unread {
  result: SearchResult;
  folder: string;
  state: string;
}

/**
 * Completes the results of a search, one JSON object a line, by when pictures and videos were taken,
 * and leaves out those that are not of the dates asked for. What is kept of them counts at once.
 * Others are read when all are found, for as long as the caller allows; the rest of them has the
 * date of the file.
 *
 * @param lines of a search with `media`
 */
export function withTaken(
  lines: ReadableStream<Uint8Array<ArrayBuffer>>,
  media: Media,
  access: Access,
  options: TakenOptions,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  return ReadableStream.from(partsOf(lines, media, access, options))
    .pipeThrough(new TextEncoderStream());
}

async function* partsOf(
  lines: ReadableStream<Uint8Array<ArrayBuffer>>,
  media: Media,
  access: Access,
  options: TakenOptions,
): AsyncGenerator<string> {
  const asked = new TakenResults(media, access, options);
  let rest = "";
  for await (const text of lines.pipeThrough(new TextDecoderStream())) {
    const end = text.lastIndexOf("\n") + 1;
    if (end === 0) {
      rest += text;
      continue;
    }
    const part = await asked.complete(rest + text.slice(0, end));
    rest = text.slice(end);
    if (part !== "") yield part;
  }
  yield* asked.rest();
}

class TakenResults {
  readonly #media: Media;
  readonly #access: Access;
  readonly #options: TakenOptions;
  readonly #wallOf: (time: number) => number;
  readonly #unread: Unread[] = [];
  #skipped = 0;
  /** Results come folder by folder. */
  #last: { folder: string; known: FolderFacts } | null = null;

  constructor(media: Media, access: Access, options: TakenOptions) {
    this.#media = media;
    this.#access = access;
    this.#options = options;
    this.#wallOf = wallClock(options.query.timeZone);
  }

  /** Completes whole lines. */
  async complete(lines: string): Promise<string> {
    if (!lines.includes('"facts":')) return lines;
    let text = "";
    for (const line of lines.split("\n")) {
      if (line !== "") text += await this.#completed(line);
    }
    return text;
  }

  /** The results that waited to be read, as they are, and then what is not known. */
  async *rest(): AsyncGenerator<string> {
    const { readMs, tells, signal } = this.#options;
    const end = performance.now() + readMs;
    const folders = new Set<string>();
    let next = 0;
    const readSome = async () => {
      let text = "";
      for (let file = this.#unread[next]; file && performance.now() < end;) {
        next++;
        folders.add(file.folder);
        text += this.#finished(file.result, await this.#read(file));
        file = this.#unread[next];
      }
      return text;
    };
    try {
      const texts = await Promise.all(Array.from({ length: atOnce }, readSome));
      yield texts.join("");
    } finally {
      for (const folder of folders) await this.#media.save(folder);
    }
    signal.throwIfAborted();
    for (const { result } of this.#unread.slice(next)) yield this.#finished(result);
    const unread = this.#unread.length - next + this.#skipped;
    if (tells && unread > 0) yield `${JSON.stringify({ unread } satisfies SearchRest)}\n`;
  }

  async #completed(line: string): Promise<string> {
    const { facts, ...result }: PlacedResult = JSON.parse(line);
    if (!facts) return `${line}\n`;
    const [folder, state] = facts;
    const name = nameOf(parsePath(result.path).path);
    if (this.#last?.folder !== folder) {
      this.#last = { folder, known: await this.#media.known(folder) };
    }
    const info = this.#last.known.findState(name, state);
    if (info || methodOf(name) === null || result.size === 0) return this.#finished(result, info);
    if (this.#unread.length < maxUnread) {
      this.#unread.push({ result, folder, state });
      return "";
    }
    this.#skipped++;
    return this.#finished(result);
  }

  async #read({ result, folder, state }: Unread): Promise<MediaInfo> {
    const found = parsePath(result.path).path;
    const path = joinPaths(result.path.startsWith("/") ? ROOT : this.#options.path, found);
    try {
      return await this.#media.info(this.#access, path, this.#options.signal, folder);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      // One that cannot be read is not tried again for each search.
      (await this.#media.known(folder)).keepState(nameOf(path), state, {}, false);
      return {};
    }
  }

  /** The line of a result; "" for one that is not of the dates asked for. */
  #finished(result: SearchResult, info: MediaInfo = {}): string {
    const { query: { date }, details, tells, isZoned = false } = this.#options;
    const { size, modified = "", ...named } = result;
    const taken = takenTimeOf(info);
    const wall = taken && !taken.isUtc
      ? taken.time
      : this.#wallOf(taken ? taken.time : Date.parse(modified));
    if (!isInRange(date, wall)) return "";
    return `${
      JSON.stringify({
        ...named,
        ...details && { size, modified },
        ...tells && taken && { taken: `${info.taken}${zoneOf(info, isZoned)}` },
        ...tells && info.width && info.height && { ratio: ratioOf(info) },
      })
    }\n`;
  }
}

function zoneOf({ takenZone }: MediaInfo, isZoned: boolean): string {
  if (isZoned) return takenZone ?? "Z";
  return takenZone === "Z" ? "Z" : "";
}
