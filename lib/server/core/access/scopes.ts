import type { NoteDenial } from "./denial.ts";
import { DiskError } from "../disk/disk.ts";
import type { Facts } from "../disk/facts.ts";
import { asRealPath, isBelow, realChild, type RealPath } from "../disk/real_path.ts";
import { disk } from "../disk/this_disk.ts";
import { DomainError } from "../../../shared/errors.ts";
import { belowRootName } from "../../../shared/named_roots.ts";
import type { NamedRoot } from "../../../shared/schemas/named_root.ts";
import { childOf, type EntryPath, joinPaths, ROOT, segmentsOf } from "../../../shared/path.ts";
import type { Reserved } from "./reserved.ts";
import { resolve } from "./resolve.ts";
import type { GateSpec, Viewer } from "./viewer.ts";

/** The real folders that confine the viewer's paths. */
export interface Bounds {
  /** The real folder of the scope, from which rules count. */
  scope: RealPath;
  /** The real folder (or shared file) that nothing may leave. */
  base: RealPath;
  /** The named root that it is, of a viewer who has such. */
  root?: NamedRoot;
}

/** The filter that decides whether an entry may be known at all, however it is reached. */
interface Checks {
  reserved: Reserved;
  /** Whether names and rules let the viewer know of a real path. */
  allowsReal(real: RealPath, bounds: Bounds): boolean;
  note?: NoteDenial;
}

/**
 * Finds the real folders that confine a viewer's paths: that of the scope, or those of the named
 * roots. Each is looked for once an operation, which is safe: there is no link in its path, and the
 * disk refuses it should it get one.
 */
export class Scopes {
  readonly #viewer: Viewer;
  readonly #root: RealPath;
  readonly #checks: Checks;
  readonly #found = new Map<NamedRoot | undefined, Bounds>();

  constructor(spec: GateSpec, viewer: Viewer, checks: Checks) {
    this.#viewer = viewer;
    this.#root = asRealPath(spec.root);
    this.#checks = checks;
  }

  /**
   * The confinement of paths in the viewer's scope, or in a named root.
   *
   * @throws {DomainError} `forbidden`, also where its folder is behind a link; `not_found`
   */
  bounds(action: string, root?: NamedRoot): Bounds {
    const known = this.#found.get(root);
    if (known) return known;
    try {
      const bounds = this.#find(action, root);
      this.#found.set(root, bounds);
      return bounds;
    } catch (error) {
      this.#checks.note?.({ kind: "scope" });
      throw error;
    }
  }

  /** Facts about the folder of a named root; null when it may not be known, or is none now. */
  look(root: NamedRoot): Facts | null {
    try {
      const info = disk.look(this.bounds(`Cannot read "${root.name}"`, root).scope);
      return info?.isDirectory ? info : null;
    } catch (error) {
      if (error instanceof DomainError || error instanceof DiskError) return null;
      throw error;
    }
  }

  #find(action: string, root: NamedRoot | undefined): Bounds {
    const scope = this.#findScope(root?.path ?? this.#viewer.scope, action);
    const bounds: Bounds = { scope, base: scope, ...root && { root } };
    const { base } = this.#viewer;
    if (base === undefined) return bounds;
    const names = segmentsOf(root ? belowRootName(base, root) : base);
    bounds.base = this.#enter(scope, names, action);
    if (!this.#checks.allowsReal(bounds.base, bounds)) throw deniedError(action);
    return bounds;
  }

  /**
   * The folder of a scope. No link on the way to it is followed, even one that stays in the root: a
   * user who may write above it would decide where it leads.
   */
  #findScope(path: string, action: string): RealPath {
    const real = scopeNames(path).reduce(realChild, this.#root);
    if (real === this.#root) return real;
    try {
      const info = disk.look(real);
      if (info === null) throw new DomainError("not_found", `${action}: its scope is not there`);
      if (info.isSymlink) throw new DiskError("ELOOP", "open");
      this.#assertOpen(real, info, action);
      return real;
    } catch (error) {
      if (!(error instanceof DiskError && error.code === "ELOOP")) throw error;
      throw new DomainError("forbidden", `${action}: its scope is behind a link`);
    }
  }

  #enter(scope: RealPath, names: string[], action: string): RealPath {
    const found = resolve(scope, names);
    const target = found.kind === "found" ? found.target : null;
    if (found.kind === "outside" || target?.kind === "outside") throw deniedError(action);
    if (found.kind === "missing" || target?.kind === "broken") {
      throw new DomainError("not_found", `${action}: its scope is not there`);
    }
    const real = target?.real ?? found.real;
    this.#assertOpen(real, target?.info ?? found.info, action);
    return real;
  }

  #assertOpen(real: RealPath, info: Facts, action: string): void {
    const { reserved } = this.#checks;
    if (reserved.covers(real) || reserved.is(info)) throw deniedError(action);
  }
}

/** Made where it is thrown: capturing a stack costs more than a lookup. */
export function deniedError(action: string): DomainError {
  return new DomainError("forbidden", `${action}: access is denied`);
}

/** A real path as the rules see it: "/a/b" below the scope, "/Name/a/b" in a named root. */
export function belowScope(real: RealPath, { scope, root }: Bounds): EntryPath {
  const path = scope === "/" ? real : real.slice(scope.length);
  if (!isBelow(real, scope)) throw new Error("Cannot count a path from a scope it is not in");
  const below = (path === "" ? "/" : path) as string as EntryPath;
  return root ? joinPaths(childOf(ROOT, root.name), below) : below;
}

/** A scope as users records hold it: "/al", "al", "./al" and "." are all understood. */
export function scopeNames(scope: string): string[] {
  const names = scope.split("/").filter((name) => name !== "" && name !== ".");
  if (names.some((name) => name === ".." || name.includes("\0"))) {
    throw new DomainError("forbidden", "Cannot enter the scope: its path climbs out of the root");
  }
  return names;
}
