import { type ReadonlySignal, type Signal, signal } from "@preact/signals";
import { type EntryPath, parsePath } from "../../../../shared/path.ts";
import { previewKey } from "../../../../shared/picture_forms.ts";
import type { Entry } from "../../../../shared/schemas/entry.ts";
import type { MediaInfo, ThumbHashes } from "../../../../shared/schemas/media.ts";
import { type Result, success } from "../../../../shared/result.ts";
import { thumbHashToDataURL } from "thumbhash";
import {
  maxHashedPaths,
  type ThumbSide,
  thumbSides,
} from "../../../../shared/schemas/choices/choices.ts";
import { type Calls, failureOfThrow } from "../../../base/api/calls.ts";

/** Concurrent downloads of thumbnails. */
const AT_ONCE = 4;

/** Debounce, so that fast scrolling requests no thumbnails, in milliseconds. */
const REST_MS = 60;

/** Capacity of the thumbnail cache, as encoded images: a large one takes some 50 KB. */
const MAX_KEPT = 300;

/** Upscaling up to this factor still looks sharp. */
const UNSEEN = 1.15;

/**
 * The smallest thumbnail that looks sharp on a tile.
 *
 * @param width of the tile, in device pixels
 */
export function sideFor(width: number): ThumbSide {
  return thumbSides.find((side) => side * UNSEEN >= width) ?? 640;
}

/** The largest SVG shown directly, in bytes: rendering takes the browser's time. */
const MAX_DRAWING = 2 ** 20;

/** Loads thumbnails: an abortable call, and object URLs for the result. */
interface ThumbsOptions<Read> {
  /**
   * @param key changes whenever the file does
   * @param entry the file
   */
  read: (
    at: EntryPath,
    side: ThumbSide,
    key: string,
    signal: AbortSignal,
    entry: Entry,
  ) => Promise<Result<Read | null>>;
  /** Reads the hashes of blurred pictures; undefined does without. */
  hashes?: ReadHashes | undefined;
  /** The address of the file itself, for an `<img>`, in which no script runs. */
  itself: (at: EntryPath, key: string) => string;
  /** The size that the current tiles need. */
  side: () => ThumbSide;
  urls: { createObjectURL(read: Read): string; revokeObjectURL(address: string): void };
}

interface Thumb {
  entry: Entry;
  /** The thumbnail's address; null while there is none. */
  url: Signal<string | null>;
  /** The size of that thumbnail; 0 while there is none. */
  side: ThumbSide | 0;
  /** The number of places that show it. */
  seen: number;
  /** `none`: there is none, final; `failed`: retried when it is shown again. */
  state: "open" | "none" | "failed";
  reading: AbortController | null;
}

/**
 * The thumbnails of the entries in view. Few are loaded concurrently; a download is aborted when
 * its entry leaves the view, and none starts during fast scrolling. When tiles have grown, a
 * thumbnail stays until a larger one is loaded.
 */
export class Thumbs<Read = Blob> {
  readonly #options: ThumbsOptions<Read>;
  /** Least recently visible first. */
  readonly #thumbs = new Map<string, Thumb>();
  readonly #blurs: Blurs;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** @param options loads thumbnails */
  constructor(options: ThumbsOptions<Read>) {
    this.#options = options;
    this.#blurs = new Blurs(options.hashes);
  }

  /** A blurred picture of an entry to show until its thumbnail is loaded; null for none. */
  blurOf(entry: Entry): ReadonlySignal<string | null> {
    return this.#blurs.of(keyOf(entry));
  }

  /** The address of an entry's thumbnail; null until it is loaded. */
  of(entry: Entry): ReadonlySignal<string | null> {
    return this.#thumb(entry).url;
  }

  /**
   * Registers that an entry is visible.
   *
   * @returns ends the registration
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

  /** Shows the icon from now on: the browser can't decode the thumbnail. */
  failed(entry: Entry): void {
    const thumb = this.#thumb(entry);
    this.#drop(thumb);
    thumb.url.value = null;
    thumb.state = "none";
    this.#blurs.forget(keyOf(entry));
  }

  #thumb(entry: Entry): Thumb {
    const key = keyOf(entry);
    const known = this.#thumbs.get(key);
    if (known) return known;
    const thumb: Thumb = {
      entry,
      url: signal(null),
      side: 0,
      seen: 0,
      state: "open",
      reading: null,
    };
    if (isDrawn(thumb) && entry.size > MAX_DRAWING) thumb.state = "none";
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
    const enough = this.#options.side();
    const wanted = all.filter(({ seen, reading, state, side }) =>
      seen > 0 && !reading && state === "open" && side < enough
    );
    const unseen = wanted.filter((one) => one.side === 0 && !isDrawn(one));
    void this.#blurs.read(new Map(unseen.map(({ entry }) => [keyOf(entry), entry.path])));
    // SVGs are loaded by the browser.
    for (const thumb of wanted.filter(isDrawn)) this.#pointAt(thumb);
    for (const thumb of wanted.filter((one) => !isDrawn(one)).slice(0, free)) {
      void this.#read(thumb, enough);
    }
  }

  #pointAt(thumb: Thumb): void {
    const { path } = parsePath(thumb.entry.path);
    thumb.side = 640;
    thumb.url.value = this.#options.itself(path, previewKey(thumb.entry));
  }

  async #read(thumb: Thumb, side: ThumbSide): Promise<void> {
    const { entry } = thumb;
    const reading = new AbortController();
    thumb.reading = reading;
    const { path } = parsePath(entry.path);
    const answer = await this.#options.read(path, side, previewKey(entry), reading.signal, entry);
    if (reading.signal.aborted) return;
    thumb.reading = null;
    if (answer.ok && answer.value) this.#put(thumb, side, answer.value);
    else {
      const isFinal = answer.ok || [403, 404].includes(answer.status);
      thumb.state = isFinal ? "none" : "failed";
      this.#blurs.forget(keyOf(entry));
    }
    this.#readSome();
  }

  #put(thumb: Thumb, side: ThumbSide, picture: Read): void {
    this.#drop(thumb);
    thumb.side = side;
    thumb.url.value = this.#options.urls.createObjectURL(picture);
    this.#blurs.forget(keyOf(thumb.entry));
  }

  #forgetOld(): void {
    for (const [key, thumb] of this.#thumbs) {
      if (this.#thumbs.size <= MAX_KEPT) return;
      if (thumb.seen > 0) continue;
      this.#drop(thumb);
      this.#blurs.forget(key);
      this.#thumbs.delete(key);
    }
  }

  #drop({ url }: Thumb): void {
    const address = url.peek();
    if (address) this.#options.urls.revokeObjectURL(address);
  }
}

/** The server makes no previews of SVGs, and browsers draw them sharp at any size. */
function isDrawn({ entry }: Thumb): boolean {
  return entry.extension === ".svg";
}

/** A changed file gets a new thumbnail. */
function keyOf({ path, modified, size }: Entry): string {
  return `${modified} ${size} ${path}`;
}

/** Reads the ThumbHashes of entries, by their paths. */
type ReadHashes = (paths: readonly EntryPath[]) => Promise<Result<ThumbHashes>>;

/**
 * The blurred pictures that stand where thumbnails are loading: some 25 bytes each, which the
 * server has of every thumbnail that it has made before. Each is asked for once.
 */
export class Blurs {
  readonly #read: ReadHashes | undefined;
  readonly #shown = new Map<string, Signal<string | null>>();
  readonly #asked = new Set<string>();

  /** @param read reads hashes; undefined does without blurred pictures */
  constructor(read: ReadHashes | undefined) {
    this.#read = read;
  }

  /** The address of an entry's blurred picture; null while there is none. */
  of(key: string): ReadonlySignal<string | null> {
    const known = this.#shown.get(key) ?? signal(null);
    this.#shown.set(key, known);
    return known;
  }

  /** Reads the hashes of entries that were not asked for before. @param paths by their keys */
  async read(paths: ReadonlyMap<string, string>): Promise<void> {
    const asked = [...paths].filter(([key]) => !this.#asked.has(key)).slice(0, maxHashedPaths);
    if (asked.length === 0 || !this.#read) return;
    for (const [key] of asked) this.#asked.add(key);
    const answer = await this.#read(asked.map(([, path]) => parsePath(path).path));
    if (!answer.ok) return;
    for (const [key, path] of asked) {
      const hash = answer.value.hashes[path];
      const shown = this.#shown.get(key);
      if (hash !== undefined && shown) shown.value = drawn(hash);
    }
  }

  /** Drops the blurred picture of an entry: there is no thumbnail, or it is out of use. */
  forget(key: string): void {
    const shown = this.#shown.get(key);
    if (shown) shown.value = null;
    this.#shown.delete(key);
    this.#asked.delete(key);
  }
}

/** The address of a blurred picture; null where the hash is damaged. */
function drawn(hash: string): string | null {
  try {
    return thumbHashToDataURL(Uint8Array.from(atob(hash), (byte) => byte.charCodeAt(0)));
  } catch {
    return null;
  }
}

/** The calls about pictures, videos and music, for the parts of pages that are loaded late. */
export class MediaCalls {
  readonly #calls: Calls;

  /** @param calls of the page's API client */
  constructor(calls: Calls) {
    this.#calls = calls;
  }

  /** The facts that a file itself tells; 501 for types that tell none. */
  mediaInfo(at: EntryPath, signal?: AbortSignal): Promise<Result<MediaInfo>> {
    return this.#calls.json("GET /api/media/{path}", { params: { path: at }, signal });
  }

  /** The beginning of a text; null for what is none. @param key changes whenever the file does */
  async textThumb(
    at: EntryPath,
    key: string,
    signal: AbortSignal,
  ): Promise<Result<string | null>> {
    const answer = await this.#calls.call("GET /api/preview/{size}/{path}", {
      ...{ params: { size: "thumb", path: at }, query: { k: key, optional: true }, signal },
      ...{ accept: "text/plain", cached: true },
    });
    if (!answer.ok) return answer;
    try {
      return success(answer.value.status === 204 ? null : await answer.value.text());
    } catch (error) {
      return failureOfThrow(error);
    }
  }

  /**
   * The ThumbHashes of the thumbnails that the server has already made, in base64 by path. Paths
   * without one are left out.
   *
   * @param paths at most 200
   */
  thumbHashes(paths: readonly EntryPath[], signal?: AbortSignal): Promise<Result<ThumbHashes>> {
    return this.#calls.json("POST /api/thumbhashes", { json: { paths }, signal });
  }
}
