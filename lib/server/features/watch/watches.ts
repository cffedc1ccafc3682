import { virtualTop } from "../../core/access/names.ts";
import type { Access } from "../../core/access/access.ts";
import type { Gate } from "../../core/access/gate.ts";
import type { EntryPath } from "../../../shared/path.ts";
import { type RootsInfo, rootsInfoOf } from "../../../shared/named_roots.ts";
import { viewerOf } from "../../core/access/viewer.ts";
import { DomainError } from "../../../shared/errors.ts";
import type { UnreadState } from "../../../shared/schemas/notification.ts";
import type { Caller, Seen } from "../accounts/auth/session.ts";
import type { FolderEvents } from "./folder_events.ts";
import { FolderHandle } from "../../core/access/folder_handle.ts";
import { DiskError, type WatchListener } from "../../core/disk/disk.ts";
import { isSameEntry } from "../../core/disk/facts.ts";
import { isStoreAway } from "../../core/kv/circuit_breaker.ts";
import type { RealPath } from "../../core/disk/real_path.ts";
import { modifiedOf } from "../../files/listing/entries.ts";

/** Maximum number of folders that one user watches at a time, in one thread. */
const maxPerUser = 32;

/** Maximum number of open streams in one thread. */
const maxStreams = 2_000;

const noneUnread: UnreadState = { unread: 0, edition: 0 };

/** The open event streams of users, and the folders that they watch. */
export class Watches {
  readonly #gate: Gate;
  readonly #current: (caller: Caller) => Promise<Seen | null>;
  readonly #jobsOf: (userId: number, tokenId?: string) => Promise<unknown[]>;
  readonly #onChange: (real: string) => void;
  readonly #folderEvents: FolderEvents;
  readonly #notificationsOf: (userId: number) => Promise<UnreadState>;
  readonly #streams = new Set<{ userId: number; stream: FolderStream }>();
  #isClosed = false;

  /**
   * @param current asked repeatedly, for whether the users are still signed in
   * @param jobsOf the jobs of a user that are not over; of an API token those that it has begun
   * @param onChange hears the real paths of watched folders in which something has changed
   * @param folderEvents tells what other machines have changed
   * @param notificationsOf tells how many notifications a user has not read
   */
  constructor(
    gate: Gate,
    current: (caller: Caller) => Promise<Seen | null>,
    jobsOf: (userId: number, tokenId?: string) => Promise<unknown[]>,
    onChange: (real: string) => void,
    folderEvents: FolderEvents,
    notificationsOf: (userId: number) => Promise<UnreadState>,
  ) {
    this.#gate = gate;
    this.#current = current;
    this.#jobsOf = jobsOf;
    this.#onChange = onChange;
    this.#folderEvents = folderEvents;
    this.#notificationsOf = notificationsOf;
  }

  /**
   * Watches a folder for a user until the stream is cancelled or ends: see {@link FolderStream}.
   *
   * @throws {DomainError} `forbidden`, `not_found`; `throttled` at a limit; `not_supported` where
   * the disk reports no changes
   */
  open(caller: Caller, path: EntryPath): ReadableStream<Uint8Array> {
    const folder = this.#enter(caller).folder(path);
    const userId = caller.user.id;
    let { user } = caller;
    this.#checkLimits(userId, path);
    const stream = new FolderStream(folder, {
      enter: async () => {
        const now = await this.#current(caller);
        if (now === null) return null;
        user = now.user;
        return this.#enter(now).folder(path);
      },
      jobs: async () => JSON.stringify(await this.#jobsOf(userId, caller.token?.id)),
      notifications: async () => {
        // Some of them are no business of an API token.
        const { unread, edition } = caller.token ? noneUnread : await this.#notificationsOf(userId);
        return edition === 0 ? "" : JSON.stringify({ unread, edition });
      },
      // The names of those above its folder are no business of an API token either.
      roots: () => caller.token ? null : rootsInfoOf(user),
      version: () => user.version,
      // The virtual top is on no disk that others could change.
      listen: (real, listener) =>
        real === virtualTop
          ? { [Symbol.dispose]: () => {} }
          : this.#folderEvents.listen(real, folder.locator.spec.root, listener),
      onChange: this.#onChange,
      onEnd: () => this.#streams.delete(kept),
    });
    const kept = { userId, stream };
    this.#streams.add(kept);
    if (this.#isClosed) stream.end();
    return stream.body;
  }

  /** Ends all streams, and refuses new ones: an open stream would block a shutdown. */
  close(): void {
    this.#isClosed = true;
    for (const { stream } of [...this.#streams]) stream.end();
  }

  #enter({ user, settings }: Seen): Access {
    return this.#gate.enter(viewerOf(user, settings.rules));
  }

  #checkLimits(userId: number, path: EntryPath): void {
    const own = [...this.#streams].filter((stream) => stream.userId === userId).length;
    if (own < maxPerUser && this.#streams.size < maxStreams) return;
    throw new DomainError("throttled", `Cannot watch "${path}": too many folders are watched`, 30);
  }
}

/** Time to gather changes before the first event, in milliseconds. */
const gatherMs = 100;

/** Minimum time between two events, in milliseconds. */
const paceMs = 500;

/** Interval of the checks of session and folder, in milliseconds. */
const checkMs = 2_000;

/** A keep-alive comment goes out every this many checks: proxies close silent connections. */
const checksPerKeepAlive = 8;

/** Maximum number of changed names kept until the next event. */
const maxNames = 16;

/** Maximum number of events buffered for a client that does not read. */
const maxUnread = 16;

/** Parameters of a stream. */
interface FolderStreamOptions {
  /** Enters the folder with the viewer's current permissions; null once the session has ended. */
  enter: () => Promise<FolderHandle | null>;
  /** The viewer's jobs that are not over, as JSON. */
  jobs: () => Promise<string>;
  /** How many notifications the viewer has not read, as JSON; "" for nothing to tell. */
  notifications: () => Promise<string>;
  /** The viewer's named roots; null for one who has a scope. */
  roots: () => RootsInfo | null;
  /** The version of the viewer's record and groups: another one may mean other rights. */
  version: () => number;
  /** Has a function called when another machine has changed something in the folder. */
  listen: (real: RealPath, listener: () => void) => Disposable;
  /** Called when something has changed in the folder, whether or not the viewer may know of it. */
  onChange: (real: string) => void;
  /** Called once, at the end of the stream. */
  onEnd: () => void;
}

/**
 * Sends the changes of an open folder to one viewer as server-sent events: `ready` when the watch
 * is set up, then `changed` whenever an entry visible to the viewer changes, or what the viewer may
 * do, by the user's own record or a group's. The event has no details: the client reads the folder
 * again, through the gate, and is told by that answer to renew its token. The stream ends with the
 * session, and after a last `changed` when the folder is removed or replaced. `jobs` lists the
 * viewer's unfinished jobs, of all devices, when one of them changes; `notifications` likewise has
 * the number of unread ones. `ready` has the viewer's named roots, and `roots` those after a group
 * has given or taken some.
 */
class FolderStream {
  /** The events, as bytes. */
  readonly body: ReadableStream<Uint8Array>;
  readonly #options: FolderStreamOptions;
  readonly #first: FolderHandle;
  readonly #watch: Disposable;
  readonly #subscription: Disposable;
  readonly #checkTimer: ReturnType<typeof setInterval>;
  #controller: ReadableStreamDefaultController<Uint8Array> | null = null;
  #folder: FolderHandle;
  #names = new Set<string>();
  /** A change without a name happened. */
  #unnamed = false;
  /** There were changes of which `onChange` was not told yet. */
  #isTouched = false;
  #jobs = "[]";
  #notifications = "";
  #roots: string;
  #version: number;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #sentAt = 0;
  #checks = 0;
  #checkRunning: Promise<void> | null = null;

  /**
   * @param folder the watched folder
   * @throws {DomainError} `throttled`, `not_supported`
   */
  constructor(folder: FolderHandle, options: FolderStreamOptions) {
    this.#options = options;
    this.#first = this.#folder = folder;
    this.#watch = watch(folder, (name) => this.#onChange(name));
    this.#subscription = options.listen(folder.real, () => this.#onChange(null));
    const modified = this.#readModified();
    const roots = options.roots();
    this.#roots = JSON.stringify(roots);
    this.#version = options.version();
    this.#checkTimer = setInterval(() => this.#check(), checkMs);
    this.body = new ReadableStream({
      start: (controller) => {
        this.#controller = controller;
        this.#send("ready", { modified: modified.toISOString(), ...roots && { roots } });
      },
      cancel: () => {
        this.#controller = null;
        this.end();
      },
    }, { highWaterMark: maxUnread });
  }

  /** Ends the stream and the watch. Idempotent. */
  end(): void {
    clearInterval(this.#checkTimer);
    clearTimeout(this.#timer);
    this.#watch[Symbol.dispose]();
    this.#subscription[Symbol.dispose]();
    this.#controller?.close();
    this.#controller = null;
    this.#options.onEnd();
  }

  /** The folder's modification time: read under the watch, so that no change is missed. */
  #readModified(): Date {
    const { locator, path, info } = this.#first;
    try {
      return modifiedOf(FolderHandle.at(locator, path, `Cannot watch "${path}"`).info);
    } catch {
      // The folder was just removed; the watch reports it.
      return modifiedOf(info);
    }
  }

  #onChange(name: string | null): void {
    this.#isTouched = true;
    if (name === null || name === "") this.#unnamed = true;
    else if (this.#names.size >= maxNames || this.#names.has(name)) return;
    else if (isVisible(this.#folder, name)) this.#names.add(name);
    else return;
    if (this.#timer !== undefined) return;
    const wait = Math.max(gatherMs, this.#sentAt + paceMs - performance.now());
    this.#timer = setTimeout(() => this.#runCheck(), wait);
  }

  #check(): void {
    this.#checks++;
    if (this.#checks % checksPerKeepAlive === 0) this.#write(": alive\n\n");
    this.#runCheck();
  }

  /** Runs one check at a time; changes during one are reported by the next. */
  #runCheck(): void {
    this.#checkRunning ??= this.#report()
      .catch((error) => {
        // Nothing is sent while the session cannot be looked up.
        if (!isStoreAway(error)) this.end();
      })
      .finally(() => this.#checkRunning = null);
  }

  async #report(): Promise<void> {
    this.#timer = undefined;
    if (this.#isTouched) this.#options.onChange(this.#first.real);
    this.#isTouched = false;
    const folder = await this.#reenter();
    if (this.#controller === null) return;
    if (folder === "ended") return this.end();
    const roots = JSON.stringify(this.#options.roots());
    if (roots !== this.#roots) this.#write(`event: roots\ndata: ${this.#roots = roots}\n\n`);
    if (folder === "gone") {
      this.#send("changed", {});
      return this.end();
    }
    this.#folder = folder;
    const jobs = await this.#options.jobs();
    if (jobs !== this.#jobs) this.#write(`event: jobs\ndata: ${this.#jobs = jobs}\n\n`);
    const unread = await this.#options.notifications();
    if (unread !== this.#notifications) {
      this.#write(`event: notifications\ndata: ${this.#notifications = unread}\n\n`);
    }
    const version = this.#options.version();
    const isReported = version !== this.#version || this.#unnamed ||
      [...this.#names].some((name) => isVisible(folder, name));
    this.#version = version;
    this.#unnamed = false;
    this.#names.clear();
    if (!isReported) return;
    this.#sentAt = performance.now();
    this.#send("changed", {});
  }

  async #reenter(): Promise<FolderHandle | "ended" | "gone"> {
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

  #send(event: "ready" | "changed", data: object): void {
    this.#write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
  }

  #write(text: string): void {
    if (this.#controller === null) return;
    // The client reads nothing: the connection is dead, and the kernel has not noticed.
    if ((this.#controller.desiredSize ?? 0) <= 0) return this.end();
    this.#controller.enqueue(new TextEncoder().encode(text));
  }
}

/**
 * Watches a folder, not its subfolders.
 *
 * @throws {DomainError} `throttled` at the system's limit of watches; `not_supported` when the
 * folder can't be watched; `forbidden`, `not_found`
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
    const text = `Cannot watch "${folder.path}": its disk reports no changes`;
    throw new DomainError("not_supported", text);
  }
}

function isVisible(folder: FolderHandle, name: string): boolean {
  try {
    return folder.mayReport(name);
  } catch {
    // An unreadable entry is not visible in the folder either.
    return false;
  }
}
