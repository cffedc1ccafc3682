import { DomainError } from "../../shared/errors.ts";
import type { Pauses } from "../concurrency/pauses.ts";
import type { Container } from "./container.ts";
import type { Tree } from "./tree.ts";
import { walkTree } from "./walk_tree.ts";
import { ZipPlan } from "./zip/zip_plan.ts";

/**
 * A folder's own size grows with its entries. At this size it has about 10,000 or more and is read
 * in one go, which would delay the first byte too long.
 */
const hugeFolder = 512 * 1024;

/** Thrown to abandon a plan. */
class GivenUp extends Error {}

/**
 * Collects all entries of a stored zip before the first byte is written, within a time limit.
 *
 * @returns null when there are too many entries, the time is up, or an entry is already gone: the
 * archive can be made without a plan, but not resumed
 * @throws {DomainError} `forbidden` for a folder that can't be read
 */
export async function planZip(
  tree: Tree,
  timeoutMs: number,
  pauses: Pauses,
): Promise<ZipPlan | null> {
  const plan = new ZipPlan();
  const end = performance.now() + timeoutMs;
  const isHasty = timeoutMs < Infinity;
  if (isHasty && tree.folders.some(({ handle }) => handle.info.size > hugeFolder)) return null;
  const giveUpInTime = () => {
    const isTooWide = isHasty && plan.widestFolder > hugeFolder;
    if (plan.isTooLarge || isTooWide || performance.now() > end) throw new GivenUp();
  };
  const bounded: Container = {
    folder(name, facts) {
      plan.folder(name, facts);
      giveUpInTime();
    },
    file(name, source) {
      plan.file(name, source);
      giveUpInTime();
    },
  };
  try {
    await walkTree(tree, bounded, pauses);
    return plan;
  } catch (error) {
    const isGone = error instanceof DomainError && error.code === "not_found";
    if (isGone || error instanceof GivenUp) return null;
    throw error;
  }
}
