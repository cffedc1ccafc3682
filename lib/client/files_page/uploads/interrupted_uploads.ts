import { type ReadonlySignal, signal } from "@preact/signals";
import { type EntryPath, nameOf, parentOf } from "../../../shared/path.ts";
import type { Failure } from "../../../shared/result.ts";
import { eachAtOnce } from "../../base/core/at_once.ts";
import type { Incoming } from "../drag/dropped.ts";
import { isUnnamed, Tus } from "../../base/api/tus.ts";
import type { Unfinished, UnfinishedUploads } from "./unfinished_uploads.ts";
import { nameUpload, tusPath, type UploadApi } from "./send_upload.ts";
import { percentOf } from "./upload_job.ts";

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
export interface InterruptedOptions {
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
