import { keepLatest } from "../../core/concurrency/collect_garbage.ts";
import type { Access } from "../../core/access/access.ts";
import { SearchFolder } from "../../core/access/search_folder.ts";
import type { EntryPath } from "../../../shared/path.ts";
import type { StreamCall } from "../../core/concurrency/serve_worker.ts";
import { foldName } from "../../../shared/fold.ts";
import { Pauses } from "../../core/concurrency/pauses.ts";
import { FolderQueue } from "./folder_queue.ts";
import {
  type FolderVisit,
  folderVisitOf,
  packFolders,
  unpackFolders,
  visitBatch,
  type Visited,
  type WalkOrder,
} from "./folder_visit.ts";
import type { SearchFormat } from "./query.ts";
import { Results } from "./results.ts";
import type { WalkHelper, WalkHelpers } from "../workers/walk_helpers.ts";

/** The number of waiting folders from which on help is worth it. */
const helpFrom = 64;

/** Where a walk begins, and what it sends. */
export interface Walk {
  access: Access;
  path: EntryPath;
  order: WalkOrder;
  format: SearchFormat;
}

/**
 * Walks through the folders below one, the nearest first, and sends the results as they are found.
 * Their order does not depend on how many threads help, as long as the queue is not too long for
 * the nearest to come first. Linked folders are not entered. Folders that are removed meanwhile or
 * unreadable for the server, and unavailable mounts, count as empty.
 *
 * @param helpers other threads, for long walks
 * @throws {DomainError} `forbidden`, `not_found`
 */
export async function walkFolders(
  { access, path, order, format }: Walk,
  call: StreamCall,
  helpers: Pick<WalkHelpers, "join" | "afterMs">,
): Promise<void> {
  const visit = folderVisitOf(order);
  const pauses = new Pauses(call.signal, "low");
  const results = new Results(call, format);
  const queue = new FolderQueue<SearchFolder>();
  const pool = new WalkPool(queue);
  const sendResults = async (found: ReturnType<FolderVisit["results"]>) => {
    for (const result of found) {
      results.add(result);
      if (results.isFull) await results.send();
      if (pauses.isDue) await pauses.pause();
    }
  };

  await pauses.pause();
  const top = access.folder(path);
  {
    using open = top.open();
    keepLatest("folder", open);
  }
  const start = SearchFolder.of(top);
  const enter = (branches: SearchFolder[]) => queue.add(entered(branches, order));
  const { hits, branches } = visit.pick(start);
  call.open(null);
  enter(branches);
  await sendResults(visit.results(start, hits));

  using team = helpers.join({ access, path, order });
  let helpAt = performance.now() + helpers.afterMs;
  for (let step = pool.next(); step !== undefined; step = pool.next()) {
    if (step === null) {
      await pool.wait();
      call.signal.throwIfAborted();
    } else if ("folder" in step) {
      const { hits, branches } = visit.pickIfThere(step.folder);
      enter(branches);
      if (hits.length > 0) await sendResults(visit.results(step.folder, hits));
    } else if ("batch" in step) {
      step.batch.visited = visitBatch(visit, step.batch.folders);
      // Only in a pause do answers of helpers arrive.
      await pauses.pause();
    } else {
      enter(unpackFolders(top, step.visited.branches));
      results.addLines(step.visited.lines);
      if (results.isFull) await results.send();
    }
    if (pauses.isDue) await pauses.pause();
    if (results.isDue) await results.flush();
    if (queue.size >= helpFrom && performance.now() >= helpAt) {
      team.start((helper) => pool.add(helper));
      helpAt = Infinity;
    }
    pool.assign();
  }
  await results.end();
  keepLatest("walk", start, visit, queue, pool, results, pauses);
}

/** The folders that a walk enters among those found. */
function entered(branches: SearchFolder[], order: WalkOrder): SearchFolder[] {
  const without = order === "all" ? null : order.without;
  if (without === null) return branches;
  const folded = foldName(without);
  return branches.filter(({ below, caseInsensitive }) =>
    below !== without && !(caseInsensitive && foldName(below) === folded)
  );
}

/** The most folders that are assigned at once: more would delay the first results of a helper. */
const batchSize = 192;

/** Batches of one helper: one under way, and one on its way to it. */
const maxPerHelper = 2;

/** Batches whose results wait for those before them, which bounds the memory. */
const maxWaiting = 8;

/** Folders that follow one another in the order of the walk. */
interface Batch {
  folders: SearchFolder[];
  /** While a helper visits them. */
  underway: Promise<void> | null;
  visited: Visited | null;
  /** The first folder has too many hits for a batch. */
  isLarge: boolean;
}

/** The next step of a walk: a folder to visit, results that are there, or a batch to visit ahead. */
type Step = { folder: SearchFolder } | { visited: Visited } | { batch: Batch };

/**
 * Shares the folders of one walk among threads and keeps their order: the results of a batch
 * are taken after those of all before it. A helper that fails leaves its batches to the walk itself.
 */
class WalkPool {
  readonly #queue: FolderQueue<SearchFolder>;
  /** In the order of the walk; all before the folders of the queue. */
  readonly #batches: Batch[] = [];
  #helpers: { helper: WalkHelper; load: number }[] = [];

  /** @param queue the folders that are to be visited after those assigned */
  constructor(queue: FolderQueue<SearchFolder>) {
    this.#queue = queue;
  }

  /** Adds a thread. */
  add(helper: WalkHelper): void {
    this.#helpers.push({ helper, load: 0 });
  }

  /** Assigns waiting folders to helpers that have room. */
  assign(): void {
    for (const each of this.#helpers) {
      while (each.load < maxPerHelper) {
        const batch = this.#nextWaiting();
        if (!batch) return;
        batch.underway = this.#send(batch, each);
      }
    }
  }

  /** The next step; null while a helper is to be waited for; undefined at the end. */
  next(): Step | null | undefined {
    const [first] = this.#batches;
    if (!first) return asStep(this.#queue.next());
    if (first.visited) return { visited: this.#takeFirst(first, first.visited) };
    if (first.underway) {
      const batch = this.#nextWaiting();
      return batch ? { batch } : null;
    }
    const folder = first.folders.shift();
    first.isLarge = false;
    if (first.folders.length === 0) this.#batches.shift();
    return asStep(folder);
  }

  /** Waits until the first batch is visited, or was given back. */
  async wait(): Promise<void> {
    await this.#batches[0]?.underway;
  }

  /** The first batch that waits for a thread, or a new one from the queue. */
  #nextWaiting(): Batch | undefined {
    const waiting = this.#batches.find(({ underway, visited, isLarge }) =>
      !underway && !visited && !isLarge
    );
    if (waiting || this.#batches.length >= maxWaiting) return waiting;
    const share = Math.ceil(this.#queue.size / (2 * (this.#helpers.length + 1)));
    const folders = this.#queue.take(Math.min(batchSize, share));
    if (folders.length === 0) return undefined;
    const batch = { folders, underway: null, visited: null, isLarge: false };
    this.#batches.push(batch);
    return batch;
  }

  /** Takes the results of the first batch; folders that it left stay to be visited. */
  #takeFirst(first: Batch, visited: Visited): Visited {
    first.folders.splice(0, visited.count);
    first.visited = null;
    first.isLarge = visited.count === 0;
    if (first.folders.length === 0) this.#batches.shift();
    return visited;
  }

  async #send(batch: Batch, each: { helper: WalkHelper; load: number }): Promise<void> {
    each.load++;
    try {
      batch.visited = await each.helper.visit(packFolders(batch.folders));
    } catch {
      // Its thread died, or was ended as idle. An error of the visit comes again in this thread.
      this.#helpers = this.#helpers.filter((other) => other !== each);
    }
    each.load--;
    batch.underway = null;
  }
}

function asStep(folder: SearchFolder | undefined): Step | undefined {
  return folder && { folder };
}
