import type { EntryPath } from "../../shared/path.ts";
import { type BrowserStorage, keepIn } from "../core/browser_storage.ts";
import { sumOf } from "./resumable_upload.ts";

/** The last part that arrived, to tell the same file from another of that name, size and time. */
interface LastPart {
  start: number;
  end: number;
  /** Its SHA-256 in base64; null where the browser computes none. */
  sum: string | null;
}

/** An upload that has begun. */
interface Unfinished {
  path: EntryPath;
  size: number;
  lastModified: number;
  last: LastPart | null;
  /** When it was begun or went on, in milliseconds since 1970. */
  at: number;
}

const KEY = "uploads";

/** The server keeps what has come for so long, in milliseconds. */
const LIFE_MS = 24 * 60 * 60 * 1000;

/** The most uploads that are remembered. */
const MOST = 200;

/**
 * Remembers uploads that have begun, across reloads and crashes of the page: a file that is chosen
 * again goes on where it was broken off. Each user of the browser has own ones.
 */
export class UnfinishedUploads {
  readonly #storage: BrowserStorage;
  readonly #userId: () => number | undefined;

  /** @param storage `localStorage` */
  constructor(storage: BrowserStorage, userId: () => number | undefined) {
    this.#storage = storage;
    this.#userId = userId;
  }

  /** Whether a file is the one whose upload to a path has begun, as far as it has arrived. */
  async matches(path: EntryPath, file: File): Promise<boolean> {
    const known = this.#read().find((upload) => upload.path === path);
    if (!known || known.size !== file.size || known.lastModified !== file.lastModified) {
      return false;
    }
    if (known.last === null) return true;
    const { start, end, sum } = known.last;
    const read = await sumOf(file.slice(start, end));
    return read.ok && read.value === sum;
  }

  /** Remembers an upload that begins. */
  remember(path: EntryPath, { size, lastModified }: File): void {
    this.#change(path, { path, size, lastModified, last: null, at: Date.now() });
  }

  /** Notes the last part that arrived. */
  note(path: EntryPath, last: LastPart): void {
    const known = this.#read().find((upload) => upload.path === path);
    if (known) this.#change(path, { ...known, last, at: Date.now() });
  }

  /** Forgets an upload: it is complete or discarded. */
  forget(path: EntryPath): void {
    this.#change(path, null);
  }

  #change(path: EntryPath, upload: Unfinished | null): void {
    const others = this.#read().filter((each) => each.path !== path);
    const all = upload === null ? others : [...others, upload].slice(-MOST);
    if (all.length === 0) this.#storage.removeItem(this.#key());
    else keepIn(this.#storage, this.#key(), JSON.stringify(all));
  }

  #read(): Unfinished[] {
    try {
      const all: unknown = JSON.parse(this.#storage.getItem(this.#key()) ?? "[]");
      if (!Array.isArray(all)) return [];
      return all.filter((each: Unfinished) => Date.now() - each.at < LIFE_MS);
    } catch {
      return [];
    }
  }

  #key(): string {
    return `${KEY}.${this.#userId() ?? 0}`;
  }
}
