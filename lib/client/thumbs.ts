import { type ReadonlySignal, type Signal, signal } from "@preact/signals";
import { type EntryPath, parsePath } from "../access/path.ts";
import type { Entry } from "../api_types.ts";
import type { Result } from "./result.ts";

/** How many pictures are on their way at a time. */
const AT_ONCE = 4;

/** How long the view has to rest before pictures are asked for, in milliseconds. */
const REST_MS = 60;

/** The most pictures kept in memory; one has 256 x 256 pixels. */
const MAX_KEPT = 300;

/** How the pictures come: a call that can be given up, and addresses for what it brought. */
export interface ThumbsOptions {
  /** @param key changes whenever the file does */
  read: (at: EntryPath, key: string, signal: AbortSignal) => Promise<Result<Blob>>;
  urls: Pick<typeof URL, "createObjectURL" | "revokeObjectURL">;
}

interface Thumb {
  entry: Entry;
  /** The picture's address; null while there is none. */
  url: Signal<string | null>;
  /** How often it is on the screen. */
  seen: number;
  /** `none`: there is none, whenever one asks; `failed`: it may come when it is shown again. */
  state: "open" | "none" | "failed";
  reading: AbortController | null;
}

/**
 * The small pictures of the entries in view. Only few are on their way at a time; one that leaves
 * the view is given up, and nothing is asked for while entries fly past.
 */
export class Thumbs {
  readonly #options: ThumbsOptions;
  /** The one longest out of view is the first. */
  readonly #thumbs = new Map<string, Thumb>();
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** @param options how to read a picture */
  constructor(options: ThumbsOptions) {
    this.#options = options;
  }

  /** The address of an entry's picture; null until there is one. */
  of(entry: Entry): ReadonlySignal<string | null> {
    return this.#thumb(entry).url;
  }

  /**
   * Tells that an entry is on the screen.
   *
   * @returns what to call when it no longer is
   */
  show(entry: Entry): () => void {
    const thumb = this.#thumb(entry);
    thumb.seen++;
    this.#later();
    return () => {
      thumb.seen--;
      if (thumb.seen > 0) return;
      thumb.reading?.abort();
      thumb.reading = null;
      if (thumb.state === "failed") thumb.state = "open";
      this.#thumbs.delete(keyOf(entry));
      this.#thumbs.set(keyOf(entry), thumb);
      this.#later();
    };
  }

  #thumb(entry: Entry): Thumb {
    const key = keyOf(entry);
    const known = this.#thumbs.get(key);
    if (known) return known;
    const thumb: Thumb = { entry, url: signal(null), seen: 0, state: "open", reading: null };
    this.#thumbs.set(key, thumb);
    return thumb;
  }

  #later(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#forgetOld();
      this.#readSome();
    }, REST_MS);
  }

  #readSome(): void {
    const all = [...this.#thumbs.values()];
    const free = AT_ONCE - all.filter(({ reading }) => reading).length;
    const wanted = all
      .filter(({ seen, reading, state, url }) =>
        seen > 0 && !reading && state === "open" && url.peek() === null
      )
      .slice(0, free);
    for (const thumb of wanted) void this.#read(thumb);
  }

  async #read(thumb: Thumb): Promise<void> {
    const { entry } = thumb;
    const reading = new AbortController();
    thumb.reading = reading;
    const { path } = parsePath(entry.path);
    const key = `${Date.parse(entry.modified)}-${entry.size}`;
    const answer = await this.#options.read(path, key, reading.signal);
    if (reading.signal.aborted) return;
    thumb.reading = null;
    if (answer.ok) thumb.url.value = this.#options.urls.createObjectURL(answer.value);
    else thumb.state = [403, 404, 501].includes(answer.status) ? "none" : "failed";
    this.#readSome();
  }

  #forgetOld(): void {
    for (const [key, { seen, url }] of this.#thumbs) {
      if (this.#thumbs.size <= MAX_KEPT) return;
      if (seen > 0) continue;
      const address = url.peek();
      if (address) this.#options.urls.revokeObjectURL(address);
      this.#thumbs.delete(key);
    }
  }
}

/** A file that changes gets another picture. */
function keyOf({ path, modified, size }: Entry): string {
  return `${modified} ${size} ${path}`;
}
