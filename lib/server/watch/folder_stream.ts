import { FolderHandle } from "../access/folder_handle.ts";
import type { WatchListener } from "../disk/disk.ts";
import { DiskError } from "../disk/disk_error.ts";
import { isSameEntry } from "../disk/facts.ts";
import { DomainError } from "../../shared/errors.ts";
import { modifiedOf } from "../files/listing/entries.ts";

/** How long changes are gathered before the first of them is told, in milliseconds. */
const gatherMs = 100;

/** How much time lies between two tellings at least, in milliseconds. */
const paceMs = 500;

/** How often it is looked whether session and folder still stand, in milliseconds. */
const checkMs = 2_000;

/** A sign of life is sent with every so many checks: proxies cut off what is silent for long. */
const checksPerSign = 8;

/** How many names of changed entries are kept until they are told of. */
const mostNames = 16;

/** How many events may wait for a client that does not read them. */
const mostUnread = 16;

/** What a stream needs of those who open it. */
export interface FolderStreamOptions {
  /** Enters the folder as the viewer may see it by now; null once the session has ended. */
  enter: () => Promise<FolderHandle | null>;
  /** Called once, when the stream is over. */
  onEnd: () => void;
}

/**
 * Tells one viewer that an open folder has changed, as server-sent events: `ready` when the watch
 * stands, then `changed` whenever an entry changes that the viewer may know of. What has changed is
 * not told: it is a hint to read the folder again, through the gate. The stream ends with the
 * session, and after a last `changed` when the folder goes or becomes another.
 */
export class FolderStream {
  /** What is sent. */
  readonly body: ReadableStream<Uint8Array>;
  readonly #options: FolderStreamOptions;
  readonly #first: FolderHandle;
  readonly #watch: Disposable;
  readonly #checking: ReturnType<typeof setInterval>;
  #controller: ReadableStreamDefaultController<Uint8Array> | null = null;
  #folder: FolderHandle;
  #names = new Set<string>();
  /** Something happened that goes by no name. */
  #unnamed = false;
  #telling: ReturnType<typeof setTimeout> | undefined;
  #toldAt = 0;
  #checks = 0;
  #looking: Promise<void> | null = null;

  /**
   * @param folder what is watched
   * @throws {DomainError} `throttled`, `not_supported`
   */
  constructor(folder: FolderHandle, options: FolderStreamOptions) {
    this.#options = options;
    this.#first = this.#folder = folder;
    this.#watch = watch(folder, (name) => this.#hear(name));
    const modified = this.#lookAgain();
    this.#checking = setInterval(() => this.#check(), checkMs);
    this.body = new ReadableStream({
      start: (controller) => {
        this.#controller = controller;
        this.#send("ready", { modified: modified.toISOString() });
      },
      cancel: () => {
        this.#controller = null;
        this.end();
      },
    }, { highWaterMark: mostUnread });
  }

  /** Ends the stream and the watch. Twice is harmless. */
  end(): void {
    clearInterval(this.#checking);
    clearTimeout(this.#telling);
    this.#watch[Symbol.dispose]();
    this.#controller?.close();
    this.#controller = null;
    this.#options.onEnd();
  }

  /** When the folder was modified: looked up under the watch, so that no change falls in between. */
  #lookAgain(): Date {
    const { locator, path, info } = this.#first;
    try {
      return modifiedOf(FolderHandle.at(locator, path, `Cannot watch "${path}"`).info);
    } catch {
      // It went a moment ago, which the watch tells.
      return modifiedOf(info);
    }
  }

  #hear(name: string | null): void {
    if (name === null || name === "") this.#unnamed = true;
    else if (this.#names.size >= mostNames || this.#names.has(name)) return;
    else if (mayTell(this.#folder, name)) this.#names.add(name);
    else return;
    if (this.#telling !== undefined) return;
    const wait = Math.max(gatherMs, this.#toldAt + paceMs - performance.now());
    this.#telling = setTimeout(() => this.#look(), wait);
  }

  #check(): void {
    this.#checks++;
    if (this.#checks % checksPerSign === 0) this.#write(": alive\n\n");
    this.#look();
  }

  /** One look at a time; what happens during one is told by the next. */
  #look(): void {
    this.#looking ??= this.#tell()
      .catch(() => this.end())
      .finally(() => this.#looking = null);
  }

  async #tell(): Promise<void> {
    this.#telling = undefined;
    const folder = await this.#now();
    if (this.#controller === null) return;
    if (folder === "ended") return this.end();
    if (folder === "gone") {
      this.#send("changed", {});
      return this.end();
    }
    this.#folder = folder;
    const isTold = this.#unnamed || [...this.#names].some((name) => mayTell(folder, name));
    this.#unnamed = false;
    this.#names.clear();
    if (!isTold) return;
    this.#toldAt = performance.now();
    this.#send("changed", {});
  }

  async #now(): Promise<FolderHandle | "ended" | "gone"> {
    try {
      const folder = await this.#options.enter();
      if (folder === null) return "ended";
      const { real, info } = this.#first;
      return folder.real === real && isSameEntry(folder.info, info) ? folder : "gone";
    } catch (error) {
      if (error instanceof DomainError) return "gone";
      throw error;
    }
  }

  #send(event: "ready" | "changed", data: Record<string, string>): void {
    this.#write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
  }

  #write(text: string): void {
    if (this.#controller === null) return;
    // Nobody reads what is sent: the connection is dead, and the kernel has not noticed.
    if ((this.#controller.desiredSize ?? 0) <= 0) return this.end();
    this.#controller.enqueue(new TextEncoder().encode(text));
  }
}

/**
 * Watches a folder, never what is below it.
 *
 * @throws {DomainError} `throttled` when the system watches as much as it may; `not_supported` when
 * the folder can't be watched; `forbidden`, `not_found`
 */
function watch(folder: FolderHandle, listener: WatchListener): Disposable {
  using opened = folder.open();
  try {
    return opened.watch(listener);
  } catch (error) {
    if (error instanceof DiskError && /^(ENOSPC|EMFILE)$/.test(error.code)) {
      const text = `Cannot watch "${folder.path}": too many folders are watched`;
      throw new DomainError("throttled", text, 30);
    }
    const text = `Cannot watch "${folder.path}": its disk tells of no changes`;
    throw new DomainError("not_supported", text);
  }
}

function mayTell(folder: FolderHandle, name: string): boolean {
  try {
    return folder.mayReport(name);
  } catch {
    // It can't be looked at: nobody sees it in the folder either.
    return false;
  }
}
