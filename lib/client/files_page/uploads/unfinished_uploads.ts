import { createStore, delMany, get, set, type UseStore } from "idb-keyval";
import { type EntryPath, nameOf, parentOf } from "../../../shared/path.ts";
import { type BrowserStorage, keepIn, listIn } from "../../base/core/browser_storage.ts";
import { unfinishedKey } from "./lazy_uploads.ts";
import { isUnnamed, type SentPart, sumOf, Tus } from "../../base/api/tus.ts";
import { type ReadonlySignal, signal } from "@preact/signals";
import type { Failure } from "../../../shared/result.ts";
import { eachAtOnce } from "../../../shared/at_once.ts";
import type { Incoming } from "../drag/dropped.ts";
import { nameUpload, tusPath, type UploadApi } from "./send_upload.ts";
import { percentOf } from "./upload_job.ts";
import { dayMs } from "../../../shared/time.ts";

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
const LIFE_MS = dayMs;

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
    const isAlive = (each: Unfinished) => Date.now() - each.at < LIFE_MS;
    const key = unfinishedKey(this.#userId());
    return listIn(this.#storage, key, (all) => (all as Unfinished[]).filter(isAlive));
  }
}

/** An upload that a reload or a crash of the page has interrupted. */
export interface Interrupted {
  path: EntryPath;
  name: string;
  /** How much the server has, 0 to 100. */
  percent: number;
  /** The browser can open the file again, once the user has allowed it. */
  isReopenable: boolean;
}

/** Permissions on handles, which some browsers alone have. */
type FileHandle = FileSystemFileHandle & {
  queryPermission(options: { mode: "read" }): Promise<PermissionState>;
  requestPermission(options: { mode: "read" }): Promise<PermissionState>;
};

/** Requests at once. */
const AT_ONCE = 5;

/** The dependencies of {@linkcode InterruptedUploads}. */
interface InterruptedOptions {
  api: UploadApi;
  unfinished: UnfinishedUploads;
  /** Queues a file under its path. */
  add: (destination: EntryPath, incoming: Incoming[]) => Promise<void>;
  /** Lists an upload that has all its bytes, but not its name. */
  hold: (upload: Unfinished, why: Failure) => void;
}

/** Offers to go on with uploads that were interrupted, as far as the server still has them. */
export class InterruptedUploads {
  readonly #options: InterruptedOptions;
  readonly #shown = signal<readonly Interrupted[]>([]);
  #known = new Map<EntryPath, Unfinished>();

  /** The interrupted uploads to offer. */
  readonly shown: ReadonlySignal<readonly Interrupted[]> = this.#shown;

  constructor(options: InterruptedOptions) {
    this.#options = options;
  }

  /** Looks for them. Those whose files the browser may open go on at once. */
  async find(): Promise<void> {
    const { api, unfinished, hold } = this.#options;
    const all = await unfinished.list();
    const found: Interrupted[] = [];
    await eachAtOnce(all, AT_ONCE, async (upload) => {
      const { path, size } = upload;
      const offset = await new Tus(api.calls).offset(tusPath(path));
      const isOver = offset.ok ? offset.value >= size : offset.status === 404;
      if (isOver) return await unfinished.forget(path);
      if (offset.ok) {
        const isReopenable = await unfinished.handle(path) !== null;
        const percent = percentOf(offset.value, size);
        found.push({ path, name: nameOf(path), percent, isReopenable });
      } else if (isUnnamed(offset)) {
        // The answer to HEAD has no body that says the reason.
        const { signal } = new AbortController();
        const wanted = { override: false, onProgress: () => {}, signal, unfinished };
        const named = await nameUpload(api, path, size, wanted);
        if (!named.ok && isUnnamed(named)) hold(upload, named);
      }
    });
    this.#known = new Map(all.map((upload) => [upload.path, upload]));
    this.#shown.value = found.sort((a, b) => a.path < b.path ? -1 : 1);
    await this.#reopen((handle) => handle.queryPermission({ mode: "read" }));
  }

  /**
   * Goes on with those that the browser can open, after it has asked the user. Call it on a click.
   */
  async reopen(): Promise<void> {
    await this.#reopen((handle) => handle.requestPermission({ mode: "read" }));
  }

  /**
   * Goes on with those whose files the user has chosen again.
   *
   * @returns whether there was any among the files
   */
  async resume(files: Iterable<File>): Promise<boolean> {
    let isAny = false;
    for (const file of files) {
      const upload = this.#shown.peek().map(({ path }) => this.#known.get(path)).find((known) =>
        known?.name === file.name && known.size === file.size &&
        known.lastModified === file.lastModified
      );
      if (!upload) continue;
      isAny = true;
      await this.#add(upload.path, file, null);
    }
    return isAny;
  }

  /** Removes one from the server. */
  async discard(path: EntryPath): Promise<void> {
    const { api, unfinished } = this.#options;
    this.hide(path);
    await unfinished.forget(path);
    await new Tus(api.calls).drop(tusPath(path));
  }

  /** Offers nothing more until the page is loaded again. */
  postpone(): void {
    this.#shown.value = [];
  }

  async #reopen(ask: (handle: FileHandle) => Promise<PermissionState>): Promise<void> {
    for (const { path, isReopenable } of this.#shown.peek()) {
      const handle = isReopenable ? await this.#options.unfinished.handle(path) : null;
      if (handle?.kind !== "file") continue;
      try {
        if (await ask(handle as FileHandle) !== "granted") continue;
        await this.#add(path, await (handle as FileHandle).getFile(), handle);
      } catch {
        // Moved or removed: the user can choose it.
        this.#shown.value = this.#shown.peek().map((each) =>
          each.path === path ? { ...each, isReopenable: false } : each
        );
      }
    }
  }

  async #add(path: EntryPath, file: File, handle: FileSystemHandle | null): Promise<void> {
    this.hide(path);
    await this.#options.add(parentOf(path), [{ segments: [nameOf(path)], file, handle }]);
  }

  /** Offers one no longer: it goes on. */
  hide(path: EntryPath): void {
    this.#shown.value = this.#shown.peek().filter((each) => each.path !== path);
  }
}
