import { batch, type ReadonlySignal, signal } from "@preact/signals";
import { type EntryPath, ROOT } from "../../../shared/path.ts";
import { failureOfThrow } from "../../base/api/calls.ts";
import { delay } from "../../../shared/delay.ts";
import type { Failure } from "../../../shared/result.ts";
import type { Api } from "../../base/api/api.ts";
import { BestHits, type Found, NOTHING, pathOfHit } from "./hits.ts";
import { comparing, type RankedHit, type SearchOrder } from "./ranking.ts";
import {
  type Asked,
  isEmpty,
  isOpen,
  isTooShort,
  NOT_ASKED,
  queryOf,
  readHits,
  type SearchFilter,
  type SearchType,
  termsOf,
} from "./search_query.ts";
import { Throttle } from "../../base/core/throttle.ts";

/**
 * `idle`: no query; `short`: too short; `searching`: results may still come; `done`; `failed`: see
 * `failure`, earlier results stay.
 */
export type SearchStatus = "idle" | "short" | "searching" | "done" | "failed";

/** The page size of the results. */
export const STEP = 50;

/** Debounce of typing, in milliseconds. */
const PAUSE_MS = 180;

/** The interval at which new results are shown, in milliseconds. */
const SHOW_EVERY_MS = 200;

/** How long results are read before the page gets its turn, in milliseconds. */
const SLICE_MS = 5;

/** Rest between two searches of which each reads further dates, in milliseconds. */
const READ_AGAIN_MS = 300;

const NONE: ReadonlySet<string> = new Set();

/** Whether it matters to a search when pictures were taken, or which shape they have. */
function asksForMedia({ order, filter, photos }: Asked): boolean {
  return photos || order === "modified" || filter.age !== "";
}

/** The search of one panel: each change of the query aborts the former search. */
export class Search {
  readonly #api: Pick<Api, "search">;
  readonly #here: EntryPath;
  readonly #asked = signal(NOT_ASKED);
  readonly #sent = signal<Asked | null>(null);
  readonly #status = signal<SearchStatus>("idle");
  readonly #failure = signal<Failure | null>(null);
  readonly #found = signal(NOTHING);
  readonly #chosen = signal(NONE);
  readonly #shown = signal(STEP);
  readonly #at = signal(0);
  readonly #unread = signal(0);
  /** Whether the results belong to an earlier query. */
  #isStale = false;
  /** Whether the present query is a repetition. */
  #isAgain = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #running = new AbortController();

  /** The typed query. */
  readonly asked: ReadonlySignal<Asked> = this.#asked;
  /** The last query sent to the server; null for none. It does not follow each key. */
  readonly sent: ReadonlySignal<Asked | null> = this.#sent;
  /** The status of the search. */
  readonly status: ReadonlySignal<SearchStatus> = this.#status;
  /** The reason of its failure. */
  readonly failure: ReadonlySignal<Failure | null> = this.#failure;
  /** The results so far; those of the former query until the first new one arrives. */
  readonly found: ReadonlySignal<Found> = this.#found;
  /** The selected results, by their paths. */
  readonly chosen: ReadonlySignal<ReadonlySet<string>> = this.#chosen;
  /** The number of results that are shown. */
  readonly shown: ReadonlySignal<number> = this.#shown;
  /** Pictures whose dates the server has not read yet: it is asked again until it has. */
  readonly unread: ReadonlySignal<number> = this.#unread;
  /** The result at the keyboard cursor. */
  readonly at: ReadonlySignal<number> = this.#at;
  /** The scroll position of the results, in pixels. */
  top = 0;

  /**
   * @param options.here the folder to search first
   * @param options.asked what is asked for from the start
   */
  constructor(options: { api: Pick<Api, "search">; here: EntryPath; asked?: Asked }) {
    this.#api = options.api;
    this.#here = options.here;
    if (options.asked) {
      this.#asked.value = options.asked;
      this.#ask(0);
    }
  }

  /** Changes the text; debounced. */
  type(text: string): void {
    if (text !== this.#asked.peek().text) this.#change({ text }, PAUSE_MS);
  }

  /** Changes the filter. */
  narrow(filter: Partial<SearchFilter>): void {
    this.#change({ filter: { ...this.#asked.peek().filter, ...filter } });
  }

  /** Adds a kind to the filter, or removes it. */
  toggleType(type: SearchType): void {
    const types = new Set(this.#asked.peek().filter.types);
    if (!types.delete(type)) types.add(type);
    this.narrow({ types });
  }

  /** Searches only here, or elsewhere as well. */
  stayHere(hereOnly: boolean): void {
    if (hereOnly !== this.#asked.peek().hereOnly) this.#change({ hereOnly });
  }

  /** Shows the results as photos, or in a list. */
  show(photos: boolean): void {
    if (photos !== this.#asked.peek().photos) this.#change({ photos });
  }

  /** Asks for something else at once, such as an earlier search. */
  ask(asked: Asked): void {
    this.#change(asked);
  }

  /** Searches contents as well as names, or names alone. */
  lookInside(contents: boolean): void {
    if (contents !== this.#asked.peek().contents) this.#change({ contents });
  }

  /** Changes the order. The server is only asked again when not all results are here. */
  sort(order: SearchOrder): void {
    const found = this.#found.peek();
    const isWhole = this.#status.peek() === "done" && found.count === found.hits.length;
    // By date, the server tells when pictures were taken.
    if (!isWhole || order === "modified") return this.#change({ order });
    batch(() => {
      this.#asked.value = { ...this.#asked.peek(), order };
      this.#sent.value = this.#asked.peek();
      this.#found.value = { ...found, hits: found.hits.toSorted(comparing(order)), run: Symbol() };
      this.#at.value = 0;
      this.top = 0;
    });
  }

  /** Repeats the search at once; cursor and selection stay. */
  again(): void {
    this.#ask(0, true);
  }

  /** Shows {@linkcode STEP} more results. */
  more(): void {
    this.#reach(this.#shown.peek());
  }

  /** Moves the cursor by a number of results, within the list. */
  step(by: number): void {
    this.moveTo(this.#at.peek() + by);
  }

  /** Moves the cursor to a result. */
  moveTo(index: number): void {
    const last = this.#found.peek().hits.length - 1;
    if (last < 0) return;
    const at = Math.min(last, Math.max(0, index));
    batch(() => {
      this.#at.value = at;
      this.#reach(at);
    });
  }

  /** Selects a result, or no longer. */
  toggle(index: number): void {
    const hit = this.#found.peek().hits[index];
    if (!hit || this.#isStale) return;
    const chosen = new Set(this.#chosen.peek());
    if (!chosen.delete(hit.path)) chosen.add(hit.path);
    this.#chosen.value = chosen;
  }

  /** Selects all results that are kept, or none. */
  chooseAll(all: boolean): void {
    const { hits } = this.#found.peek();
    this.#chosen.value = all && !this.#isStale ? new Set(hits.map(({ path }) => path)) : NONE;
  }

  /** The selected results themselves. */
  chosenHits(): RankedHit[] {
    const chosen = this.#chosen.peek();
    return this.#found.peek().hits.filter(({ path }) => chosen.has(path));
  }

  /** The path of a result; null when there is none, or the query has changed since. */
  pathOf(index: number): { path: EntryPath; folder: boolean; line?: number } | null {
    const { base, hits } = this.#found.peek();
    const hit = hits[index];
    if (!hit || this.#isStale && !this.#isAgain) return null;
    return { path: pathOfHit(hit, base), folder: hit.dir, line: hit.line };
  }

  /** Aborts what is under way. */
  close(): void {
    clearTimeout(this.#timer);
    this.#running.abort();
  }

  #change(asked: Partial<Asked>, pauseMs = 0): void {
    this.#asked.value = { ...this.#asked.peek(), ...asked };
    this.#ask(pauseMs);
  }

  #reach(index: number): void {
    const wanted = Math.ceil((index + 1) / STEP) * STEP;
    if (wanted > this.#shown.peek()) this.#shown.value = wanted;
  }

  #ask(pauseMs: number, isAgain = false): void {
    this.close();
    this.#isStale = true;
    this.#isAgain = isAgain;
    if (!isAgain) this.#unread.value = 0;
    const asked = this.#asked.peek();
    const { text, filter } = asked;
    if (isOpen(filter) && (isEmpty(text) || isTooShort(text))) {
      this.#sent.value = null;
      return this.#replace(NOTHING, isEmpty(text) ? "idle" : "short");
    }
    batch(() => {
      this.#status.value = "searching";
      this.#failure.value = null;
      if (!isAgain) this.#chosen.value = NONE;
    });
    this.#timer = setTimeout(() => void this.#run(asked, isAgain), pauseMs);
  }

  async #run(asked: Asked, isAgain: boolean): Promise<void> {
    const unreadBefore = this.#unread.peek();
    const running = this.#running = new AbortController();
    const { signal } = running;
    this.#sent.value = asked;
    const base = this.#here;
    const elsewhere = !asked.hereOnly && base !== ROOT;
    const terms = termsOf(asked.text);
    const best = new BestHits(terms, asked.order);
    const run = Symbol();
    let isOver = false;
    const publish = new Throttle(() => {
      if (signal.aborted) return;
      // A repeated search keeps the cursor, so it shows nothing before it has a result there.
      const isShort = best.count <= this.#at.peek();
      if (this.#isStale && this.#isAgain && isShort && !isOver) return;
      const found = { base, terms, hits: best.best(), count: best.count, run };
      if (this.#isStale) this.#replace(found, "searching");
      else this.#extend(found);
    }, SHOW_EVERY_MS);
    let failure: Failure | null = null;
    let unread = 0;
    try {
      const { text, filter, contents } = asked;
      const query = queryOf(text, filter, contents);
      const media = asksForMedia(asked);
      const options = { contents, elsewhere, media };
      const answer = await this.#api.search(base, query, signal, options);
      if (!answer.ok) failure = answer;
      else if (answer.value.body) await take(answer.value.body);
    } catch (error) {
      failure = failureOfThrow(error);
    }
    if (signal.aborted) return publish.stop();
    isOver = true;
    batch(() => {
      publish.flush();
      this.#failure.value = failure;
      this.#status.value = failure ? "failed" : "done";
      this.#unread.value = unread;
      this.#chosen.value = new Set(this.chosenHits().map(({ path }) => path));
    });
    // While some are read each time; a folder may have more pictures than the server keeps.
    if (unread > 0 && (!isAgain || unread < unreadBefore)) {
      this.#timer = setTimeout(() => this.again(), READ_AGAIN_MS);
    }

    async function take(body: ReadableStream<Uint8Array<ArrayBuffer>>): Promise<void> {
      let sliceEnd = performance.now() + SLICE_MS;
      for await (const some of readHits(body)) {
        for (const hit of some) {
          if ("unread" in hit) unread = hit.unread;
          else best.add(hit);
          // Results that have arrived already come without a pause.
          if (performance.now() < sliceEnd) continue;
          publish.ask();
          await delay(0);
          if (signal.aborted) return;
          sliceEnd = performance.now() + SLICE_MS;
        }
        publish.ask();
        if (signal.aborted) return;
      }
    }
  }

  /** More results: the cursor stays on its own, unless it was never moved. */
  #extend(found: Found): void {
    const at = this.#at.peek();
    const current = this.#found.peek().hits[at];
    batch(() => {
      this.#found.value = found;
      if (at > 0 && current) this.#at.value = Math.max(0, found.hits.indexOf(current));
    });
  }

  #replace(found: Found, status: SearchStatus): void {
    this.#isStale = false;
    batch(() => {
      this.#found.value = found;
      this.#status.value = status;
      this.#failure.value = null;
      if (this.#isAgain) return this.moveTo(this.#at.peek());
      this.#chosen.value = NONE;
      this.#shown.value = STEP;
      this.#at.value = 0;
      this.top = 0;
    });
  }
}
