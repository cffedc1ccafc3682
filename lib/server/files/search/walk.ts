import type { Access } from "../../core/access/access.ts";
import { SearchFolder } from "../../core/access/search_folder.ts";
import type { EntryPath } from "../../../shared/path.ts";
import type { StreamCall } from "../../core/concurrency/worker_call.ts";
import { Pauses } from "../../core/concurrency/pauses.ts";
import type { WalkHelpers } from "../workers/walk_helpers.ts";
import { FolderQueue } from "./folder_queue.ts";
import { type FolderVisit, folderVisitOf, type WalkOrder } from "./folder_visit.ts";
import type { SearchFormat } from "./query.ts";
import { Results } from "./results.ts";
import { unpackFolders, visitBatch } from "./visit_batch.ts";
import { WalkPool } from "./walk_pool.ts";

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
  const start = SearchFolder.of(top);
  const { hits, branches } = visit.pick(start);
  call.open(null);
  queue.add(branches);
  await sendResults(visit.results(start, hits));

  using team = helpers.join({ access, path, order });
  let helpAt = performance.now() + helpers.afterMs;
  for (let step = pool.next(); step !== undefined; step = pool.next()) {
    if (step === null) {
      await pool.wait();
      call.signal.throwIfAborted();
    } else if ("folder" in step) {
      const { hits, branches } = visit.pickIfThere(step.folder);
      queue.add(branches);
      if (hits.length > 0) await sendResults(visit.results(step.folder, hits));
    } else if ("batch" in step) {
      step.batch.visited = visitBatch(visit, step.batch.folders);
      // Only in a pause do answers of helpers arrive.
      await pauses.pause();
    } else {
      queue.add(unpackFolders(top, step.visited.branches));
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
}
