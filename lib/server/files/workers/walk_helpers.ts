import type { Access } from "../../core/access/access.ts";
import { type Remote, remote } from "../../core/concurrency/remote.ts";
import type { Visited, WalkOrder } from "../search/folder_visit.ts";
import type { ListingHelper } from "../listing/listing.ts";
import type { EntryPath } from "../../../shared/path.ts";
import type { WalkHelp } from "./walk_helper_main.ts";

/** More would wait for the disk, or for the thread that gathers the results. */
const maxHelpers = 3;

/** Time after which a walk gets help, in milliseconds: most are over before. */
const helpAfterMs = 10;

/** The work that a walk gives to its helpers. */
export interface HelpedWalk {
  access: Access;
  path: EntryPath;
  order: WalkOrder;
}

/** Another thread that visits folders for one walk. */
export interface WalkHelper {
  /** @param folders as of `packFolders` */
  visit(folders: string): Promise<Visited>;
}

/** The helpers of one walk. Disposing of it ends their part in it. */
export interface WalkTeam extends Disposable {
  /**
   * Starts them, where they do not run yet.
   *
   * @param onReady called for each once it can help: a new thread takes a while to start
   */
  start(onReady: (helper: WalkHelper) => void): void;
}

/**
 * Threads that help with long walks and large listings: one for each processor but the one of the walk itself. They
 * start on demand, and end when they are idle for a while.
 */
export class WalkHelpers {
  readonly #threads: readonly Remote<WalkHelp>[];
  #lastWalk = 0;
  /** Whether the first thread has answered: a new one takes a tenth of a second to start. */
  #isReady = false;
  #isStarting = false;

  /**
   * @param max the number of threads
   * @param afterMs time after which a walk gets help, in milliseconds
   */
  constructor(
    max = Math.min(maxHelpers, navigator.hardwareConcurrency - 1),
    readonly afterMs = helpAfterMs,
  ) {
    const script = new URL("./walk_helper_main.ts", import.meta.url);
    const options = { script, name: "walk helper" };
    this.#threads = Array.from({ length: Math.max(0, max) }, () => remote<WalkHelp>(options));
  }

  /** The team for a walk; no thread is started yet. */
  join({ access, path, order }: HelpedWalk): WalkTeam {
    const walk = ++this.#lastWalk;
    let started: readonly Remote<WalkHelp>[] = [];
    return {
      start: (onReady) => {
        started = this.#threads;
        for (const thread of started) {
          const helper: WalkHelper = {
            visit: (folders) => thread.visit({ walk, folders }),
          };
          // Without a helper that can't begin, the walk is only slower.
          thread.begin({ walk, access, path, order }).then(() => onReady(helper), () => {});
        }
      },
      [Symbol.dispose]() {
        for (const thread of started) thread.forget({ walk }).catch(() => {});
      },
    };
  }

  /** The help that another thread gives to a listing, while one is ready. */
  listing(access: Access, signal: AbortSignal): ListingHelper {
    return {
      describe: (part) => this.#readyThread()?.describe({ access, part }, { signal }) ?? null,
      readFacts: (entries) =>
        this.#readyThread()?.readFacts({ access, entries }, { signal }) ?? null,
    };
  }

  /** The first thread; null while it is not ready: it starts then, for the listings to come. */
  #readyThread(): Remote<WalkHelp> | null {
    const [thread] = this.#threads;
    if (thread?.isRunning && this.#isReady) return thread;
    this.#isReady = false;
    if (!thread || this.#isStarting) return null;
    this.#isStarting = true;
    thread.start({}).then(() => this.#isReady = true, () => {})
      .finally(() => this.#isStarting = false);
    return null;
  }

  /** Ends the threads; walks under way go on without. */
  close(): void {
    for (const thread of this.#threads) thread.close();
  }
}
