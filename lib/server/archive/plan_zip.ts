import { DomainError } from "../../shared/errors.ts";
import type { PatientSteps } from "../rpc/slices.ts";
import type { Tree } from "./tree.ts";
import { walkTree } from "./walk_tree.ts";
import { ZipPlan } from "./zip/zip_plan.ts";

/**
 * A folder takes more bytes the more it holds. One of this size has some ten thousand entries or
 * more, and is read in one go: too long for somebody who waits for the first byte.
 */
const hugeFolder = 512 * 1024;

/**
 * Looks at all entries of a stored zip before it is begun, as long as patience lasts.
 *
 * @returns null when there are too many, when it takes too long, or when something is gone already:
 * the archive can be made without a plan, but not resumed
 * @throws {DomainError} `forbidden` for a folder that can't be read
 */
export function* planZip(tree: Tree, patienceMs: number): PatientSteps<ZipPlan | null> {
  const plan = new ZipPlan();
  const end = performance.now() + patienceMs;
  const isHasty = patienceMs < Infinity;
  if (isHasty && tree.folders.some(({ handle }) => handle.info.size > hugeFolder)) return null;
  const steps = walkTree(tree, plan);
  try {
    for (let step = steps.next(); !step.done; step = steps.next()) {
      if (plan.isTooLarge || performance.now() > end) return null;
      if (isHasty && plan.widestFolder > hugeFolder) return null;
      yield step.value;
    }
  } catch (error) {
    if (error instanceof DomainError && error.code === "not_found") return null;
    throw error;
  } finally {
    steps.return();
  }
  return plan;
}
