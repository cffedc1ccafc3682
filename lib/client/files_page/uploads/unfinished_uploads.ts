import { createStore, delMany, get, set, type UseStore } from "idb-keyval";
import type { EntryPath } from "../../../shared/path.ts";
import { type BrowserStorage, keepIn } from "../../base/core/browser_storage.ts";
import { unfinishedKey } from "./lazy_uploads.ts";
import { type SentPart, sumOf } from "../../base/api/tus.ts";

/** An upload that has begun. */
export interface Unfinished {
  path: EntryPath;
  /** The name of the file on the user's device. */
  name: string;
  size: number;
  lastModified: number;
  last: SentPart | null;
  /** When it was begun or went on, in milliseconds since 1970. */
  at: number;
}

/** The server keeps what has come for so long, in milliseconds. */
const LIFE_MS = 24 * 60 * 60 * 1000;

/** The most uploads that are remembered. */
const MOST = 200;

/**
 * Remembers uploads that have begun, across reloads and crashes of the page: a file that is chosen
 * again, or that the browser can open again by its handle, goes on where it was broken off. Each
 * user of the browser has own ones.
 */
export class UnfinishedUploads {
  readonly #storage: BrowserStorage;
  readonly #userId: () => number | undefined;
  #handles: UseStore | null = null;

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

  /** Remembers an upload that begins. @param handle by which its file can be opened again */
  async remember(path: EntryPath, file: File, handle: FileSystemHandle | null): Promise<void> {
    const { name, size, lastModified } = file;
    this.#change(path, { path, name, size, lastModified, last: null, at: Date.now() });
    if (handle) await this.#keepHandle(path, handle);
  }

  /** Notes the last part that arrived. */
  note(path: EntryPath, last: SentPart): void {
    const known = this.#read().find((upload) => upload.path === path);
    if (known) this.#change(path, { ...known, last, at: Date.now() });
  }

  /** Forgets an upload: it is complete or discarded. */
  async forget(path: EntryPath): Promise<void> {
    this.#change(path, null);
    try {
      await delMany([this.#name(path)], this.#openHandles());
    } catch {
      // A browser that refuses its storage keeps none.
    }
  }

  /**
   * Runs an upload. Meanwhile no other tab offers to go on with it, or sends to the same path.
   *
   * @throws DOMException `AbortError` when it is aborted while another tab sends
   */
  async hold<T>(path: EntryPath, signal: AbortSignal, run: () => Promise<T>): Promise<T> {
    const { locks } = navigator;
    return locks ? await locks.request(this.#name(path), { signal }, run) : await run();
  }

  /** The uploads that no tab goes on with. */
  async list(): Promise<Unfinished[]> {
    const { held = [] } = await navigator.locks?.query() ?? {};
    const active = new Set(held.map(({ name }) => name));
    return this.#read().filter(({ path }) => !active.has(this.#name(path)));
  }

  /** The handle of an upload's file; null where the browser keeps none. */
  async handle(path: EntryPath): Promise<FileSystemHandle | null> {
    try {
      return await get(this.#name(path), this.#openHandles()) ?? null;
    } catch {
      return null;
    }
  }

  async #keepHandle(path: EntryPath, handle: FileSystemHandle): Promise<void> {
    try {
      await set(this.#name(path), handle, this.#openHandles());
    } catch {
      // A private window keeps none: the user is asked for the file.
    }
  }

  #openHandles(): UseStore {
    return this.#handles ??= createStore("uploads", "handles");
  }

  /** The name of an upload among all users of the browser. */
  #name(path: EntryPath): string {
    return `${unfinishedKey(this.#userId())}.${path}`;
  }

  #change(path: EntryPath, upload: Unfinished | null): void {
    const others = this.#read().filter((each) => each.path !== path);
    const all = upload === null ? others : [...others, upload].slice(-MOST);
    const key = unfinishedKey(this.#userId());
    if (all.length === 0) this.#storage.removeItem(key);
    else keepIn(this.#storage, key, JSON.stringify(all));
  }

  #read(): Unfinished[] {
    try {
      const key = unfinishedKey(this.#userId());
      const all: unknown = JSON.parse(this.#storage.getItem(key) ?? "[]");
      if (!Array.isArray(all)) return [];
      return all.filter((each: Unfinished) => Date.now() - each.at < LIFE_MS);
    } catch {
      return [];
    }
  }
}
