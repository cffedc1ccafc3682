import { batch, type ReadonlySignal, signal } from "@preact/signals";
import { type EntryPath, joinPaths, parsePath, ROOT } from "../../shared/path.ts";
import { failureOfThrow } from "../api/answer.ts";
import { type Failure } from "../../shared/result.ts";
import type { Api } from "../api/api.ts";
import {
  isEmpty,
  isTooShort,
  queryOf,
  readHits,
  type SearchHit,
  type SearchType,
  type Terms,
  termsOf,
} from "./search_query.ts";
import { Throttle } from "../core/throttle.ts";

/**
 * `idle`: no query; `short`: too short; `searching`: results may still come; `done`; `failed`: see
 * `failure`, earlier results stay.
 */
export type SearchStatus = "idle" | "short" | "searching" | "done" | "failed";

/** The page size of the results. */
export const STEP = 50;

/** The most results: the search is then aborted, and the user asked to be more precise. */
export const MOST_HITS = 50_000;

/** Debounce of typing, in milliseconds. */
const PAUSE_MS = 180;

/** The interval at which new results are shown, in milliseconds. */
const SHOW_EVERY_MS = 100;

/** The results at one moment. */
export interface Found {
  /** The folder that was searched. */
  base: EntryPath;
  /** The terms that the names were matched against. */
  terms: Terms;
  /** Append-only. */
  hits: readonly SearchHit[];
  /** The number of results. */
  count: number;
}

const NOTHING: Found = { base: ROOT, terms: termsOf(""), hits: [], count: 0 };

/** The search of one panel: each change of the query aborts the former search. */
export class Search {
  readonly #api: Pick<Api, "search">;
  readonly #here: EntryPath;
  readonly #text = signal("");
  readonly #types = signal<ReadonlySet<SearchType>>(new Set());
  readonly #everywhere = signal(false);
  readonly #status = signal<SearchStatus>("idle");
  readonly #failure = signal<Failure | null>(null);
  readonly #found = signal(NOTHING);
  readonly #shown = signal(STEP);
  readonly #at = signal(0);
  readonly #isCut = signal(false);
  /** Whether the results belong to an earlier query. */
  #isStale = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #running = new AbortController();

  /** The typed text. */
  readonly text: ReadonlySignal<string> = this.#text;
  /** The kinds of the filter; none means all. */
  readonly types: ReadonlySignal<ReadonlySet<SearchType>> = this.#types;
  /** Whether the whole scope is searched. */
  readonly everywhere: ReadonlySignal<boolean> = this.#everywhere;
  /** The status of the search. */
  readonly status: ReadonlySignal<SearchStatus> = this.#status;
  /** The reason of its failure. */
  readonly failure: ReadonlySignal<Failure | null> = this.#failure;
  /** The results so far; those of the former query until the first new one arrives. */
  readonly found: ReadonlySignal<Found> = this.#found;
  /** The number of results that are shown. */
  readonly shown: ReadonlySignal<number> = this.#shown;
  /** The result at the keyboard cursor. */
  readonly at: ReadonlySignal<number> = this.#at;
  /** Whether there are more results than {@linkcode MOST_HITS}. */
  readonly isCut: ReadonlySignal<boolean> = this.#isCut;

  /** @param options.here the folder to search, unless everywhere is chosen */
  constructor(options: { api: Pick<Api, "search">; here: EntryPath }) {
    this.#api = options.api;
    this.#here = options.here;
  }

  /** Changes the text; debounced. */
  type(text: string): void {
    if (text === this.#text.peek()) return;
    this.#text.value = text;
    this.#ask(PAUSE_MS);
  }

  /** Adds a kind to the filter, or removes it. */
  toggleType(type: SearchType): void {
    const types = new Set(this.#types.peek());
    if (!types.delete(type)) types.add(type);
    this.#types.value = types;
    this.#ask(0);
  }

  /** Changes the scope: everywhere, or only here. */
  widen(everywhere: boolean): void {
    if (everywhere === this.#everywhere.peek()) return;
    this.#everywhere.value = everywhere;
    this.#ask(0);
  }

  /** Repeats the search at once. */
  again(): void {
    this.#ask(0);
  }

  /** Shows {@linkcode STEP} more results. */
  more(): void {
    this.#reach(this.#shown.peek());
  }

  /** Moves the cursor by a number of results, within the list. */
  step(by: number): void {
    const last = this.#found.peek().count - 1;
    if (last < 0) return;
    const at = Math.min(last, Math.max(0, this.#at.peek() + by));
    batch(() => {
      this.#at.value = at;
      this.#reach(at);
    });
  }

  /** The path of a result; null when there is none, or the query has changed since. */
  pathOf(index: number): { path: EntryPath; folder: boolean } | null {
    const { base, hits } = this.#found.peek();
    const hit = hits[index];
    if (!hit || this.#isStale) return null;
    return { path: joinPaths(base, parsePath(hit.path).path), folder: hit.dir };
  }

  /** Aborts for good. */
  close(): void {
    clearTimeout(this.#timer);
    this.#running.abort();
  }

  #reach(index: number): void {
    const wanted = Math.ceil((index + 1) / STEP) * STEP;
    if (wanted > this.#shown.peek()) this.#shown.value = wanted;
  }

  #ask(pauseMs: number): void {
    this.close();
    this.#isStale = true;
    const text = this.#text.peek();
    const types = this.#types.peek();
    if (types.size === 0 && (isEmpty(text) || isTooShort(text))) {
      return this.#replace(NOTHING, isEmpty(text) ? "idle" : "short");
    }
    batch(() => {
      this.#status.value = "searching";
      this.#failure.value = null;
    });
    this.#timer = setTimeout(() => void this.#run(text, queryOf(text, types)), pauseMs);
  }

  async #run(text: string, query: string): Promise<void> {
    const running = this.#running = new AbortController();
    const { signal } = running;
    const base = this.#everywhere.peek() ? ROOT : this.#here;
    const terms = termsOf(text);
    const hits: SearchHit[] = [];
    const publish = new Throttle(() => {
      if (signal.aborted) return;
      if (this.#isStale) this.#replace({ base, terms, hits, count: hits.length }, "searching");
      else this.#found.value = { base, terms, hits, count: hits.length };
    }, SHOW_EVERY_MS);
    let failure: Failure | null = null;
    let isCut = false;
    try {
      const answer = await this.#api.search(base, query, signal);
      if (!answer.ok) failure = answer;
      else if (answer.value.body) {
        for await (const some of readHits(answer.value.body)) {
          hits.push(...some);
          publish.ask();
          isCut = hits.length >= MOST_HITS;
          if (isCut || signal.aborted) break;
        }
      }
    } catch (error) {
      failure = failureOfThrow(error);
    }
    if (signal.aborted) return publish.stop();
    batch(() => {
      publish.flush();
      this.#isCut.value = isCut;
      this.#failure.value = failure;
      this.#status.value = failure ? "failed" : "done";
    });
    running.abort();
  }

  #replace(found: Found, status: SearchStatus): void {
    this.#isStale = false;
    batch(() => {
      this.#found.value = found;
      this.#status.value = status;
      this.#failure.value = null;
      this.#isCut.value = false;
      this.#shown.value = STEP;
      this.#at.value = 0;
    });
  }
}
