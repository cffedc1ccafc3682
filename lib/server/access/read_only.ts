import type { NoteDenial } from "./denial.ts";
import { isBelow, type RealPath, realPathBelow } from "../disk/real_path.ts";
import { DomainError } from "../../shared/errors.ts";
import { type NamedRoot, placeOfRoot } from "../../shared/named_roots.ts";
import { foldName } from "../../shared/fold.ts";
import { type Bounds, deniedError } from "./scopes.ts";
import type { GateSpec, Viewer } from "./viewer.ts";

/** The depth of an operation: an entry alone, or with everything below it. */
export type Depth = "entry" | "below";

/** Refuses changes of read-only paths: the program's own, and those in read-only named roots. */
export class ReadOnlyPaths {
  readonly #paths: RealPath[];
  readonly #roots: { root: NamedRoot; real: RealPath }[] | null;
  readonly #note?: NoteDenial;

  constructor(spec: GateSpec, viewer: Viewer, note?: NoteDenial) {
    this.#paths = (spec.readOnly ?? []).map(folded);
    this.#roots = viewer.roots?.map((root) => {
      const real = realPathBelow(placeOfRoot(root), spec.root);
      return { root, real: folded(real) };
    }) ?? null;
    this.#note = note;
  }

  /**
   * Refuses a change of a read-only path, also one in a read-only root, by whatever root it is
   * reached.
   *
   * @param bounds the confinement under which it was found
   * @param depth `below` for operations on whole trees: then nothing below may be read-only either
   * @throws {DomainError} `forbidden`
   */
  assertWritable(real: RealPath, bounds: Bounds, action: string, depth: Depth = "entry"): void {
    const path = folded(real);
    if (this.#roots) this.#assertInWritableRoot(this.#roots, path, bounds, action, depth);
    if (this.#paths.some((kept) => touches(path, kept, depth))) {
      this.#note?.({ kind: "read_only" });
      throw deniedError(action);
    }
  }

  /** A path may lie in several roots, one below another: the innermost of them decides as well. */
  #assertInWritableRoot(
    roots: { root: NamedRoot; real: RealPath }[],
    path: RealPath,
    { root }: Bounds,
    action: string,
    depth: Depth,
  ): void {
    if (!root) {
      this.#note?.({ kind: "top" });
      throw new DomainError("forbidden", `${action}: only named roots are at the top`);
    }
    const innermost = roots.filter(({ real }) => isBelow(path, real))
      .reduce((a, b) => b.real.length > a.real.length ? b : a, { root, real: "" as RealPath });
    const below = depth === "below"
      ? roots.find((each) => each.root.readOnly && isBelow(each.real, path))
      : undefined;
    const kept = [root, innermost.root, below?.root].find((each) => each?.readOnly);
    if (!kept) return;
    this.#note?.({ kind: "read_only" });
    throw new DomainError("forbidden", `${action}: "/${kept.name}" is read-only`);
  }
}

function touches(path: RealPath, kept: RealPath, depth: Depth): boolean {
  return isBelow(path, kept) || (depth === "below" && isBelow(kept, path));
}

function folded(path: string): RealPath {
  return foldName(path) as RealPath;
}
