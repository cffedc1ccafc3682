import type { Denial, NoteDenial } from "./denial.ts";
import { DiskError } from "../disk/disk_error.ts";
import { isCanonical } from "../../shared/entry_names.ts";
import { type Facts, unknownFacts } from "../disk/facts.ts";
import { disk } from "../disk/this_disk.ts";
import { DomainError } from "../../shared/errors.ts";
import { foldName } from "../../shared/rules/fold.ts";
import { asRefusal } from "./os_errors.ts";
import { childOf, type EntryPath, joinPaths, nameOf, ROOT, segmentsOf } from "../../shared/path.ts";
import { asRealPath, isBelow, realChild, type RealPath } from "../disk/real_path.ts";
import { belowRootName, type NamedRoot, placeOfRoot, rootNamed } from "../../shared/named_roots.ts";
import { virtualTop } from "./names.ts";
import { Reserved } from "./reserved.ts";
import { type Found, type LinkTarget, type Missing, resolve } from "./resolve.ts";
import { VisibilityFilter } from "./visibility_filter.ts";
import { type DiskSpelling, spellingOf } from "./disk_spelling.ts";
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

/** A path that the viewer may know of, with its entry. */
export interface LocatedEntry {
  path: EntryPath;
  /** Its name in the owner's scope; "" for the root of that. */
  name: string;
  bounds: Bounds;
  found: Found | Missing;
}

/** Whether an operation concerns the target of a link, or the link itself. */
export type LinkUse = "follow" | "itself";

/**
 * Resolves a viewer's path and refuses entries that the viewer may not know of: hidden names,
 * rules, links that leave, reserved files. The refusal does not depend on whether the entry exists.
 * Made for one viewer and one operation; it caches only the location of the scope: that path has no
 * link in it, and the disk refuses it should it get one.
 */
export class Locator {
  readonly reserved: Reserved;
  readonly #root: RealPath;
  readonly #visibility: VisibilityFilter;
  readonly #caseInsensitive: VisibilityFilter;
  #found: Bounds | null = null;
  #foundRoots: Map<NamedRoot, Bounds> | null = null;

  /** @param note is told why something is refused: for explanations alone */
  constructor(readonly spec: GateSpec, readonly viewer: Viewer, readonly note?: NoteDenial) {
    this.#root = asRealPath(spec.root);
    this.reserved = new Reserved(spec);
    this.#visibility = new VisibilityFilter(viewer);
    this.#caseInsensitive = new VisibilityFilter(viewer, { caseInsensitive: true });
  }

  /**
   * Looks a path up.
   *
   * @param action for the message: `Cannot open "a.txt"`
   * @param use `itself` takes a link at the end of the path for an entry like others, wherever it
   * leads
   * @throws {DomainError} `forbidden`; `not_found` when the scope itself is gone; `invalid_name`
   */
  locate(path: EntryPath, action: string, use: LinkUse = "follow"): LocatedEntry {
    try {
      return this.#locate(path, action, use);
    } catch (error) {
      throw asRefusal(error, action);
    }
  }

  /**
   * Refuses a change of a read-only path, also one in a read-only root, by whatever root it is
   * reached.
   *
   * @param bounds the confinement under which it was found
   * @param reach `below` for operations on whole trees: then nothing below may be read-only either
   * @throws {DomainError} `forbidden`
   */
  assertWritable(
    real: RealPath,
    bounds: Bounds,
    action: string,
    reach: "entry" | "below" = "entry",
  ): void {
    const folded = foldName(real) as RealPath;
    if (this.viewer.roots) this.#assertInWritableRoot(folded, bounds, action, reach);
    for (const path of this.spec.readOnly ?? []) {
      const kept = foldName(path) as RealPath;
      if (isBelow(folded, kept) || (reach === "below" && isBelow(kept, folded))) {
        this.note?.({ kind: "read_only" });
        throw new DomainError("forbidden", `${action}: access is denied`);
      }
    }
  }

  /** The names that are hidden, for the spelling of names that the disk uses. */
  visibility(caseInsensitive = false): VisibilityFilter {
    return caseInsensitive ? this.#caseInsensitive : this.#visibility;
  }

  /** The path inside the owner's scope, which rules are about. */
  inScope(path: EntryPath): EntryPath {
    return this.viewer.base === undefined ? path : joinPaths(this.viewer.base, path);
  }

  /** Whether the viewer may know of a link's target; never, if it leads out. */
  allowsTarget(target: LinkTarget, bounds: Bounds): boolean {
    if (target.kind === "outside") return this.#refuse({ kind: "link" });
    if (!this.#allowsLinks(target.via, bounds)) return false;
    if (target.real === null) return true;
    if (target.kind === "broken") return this.#allowsReal(target.real, bounds);
    return this.#allowsReal(target.real, bounds) && this.#isOpen(target.info) &&
      this.#allowsSpelling(target.real, bounds);
  }

  /** The spelling on the disk of an existing entry; determined only if there are rules. */
  spelling(real: RealPath, { scope }: Bounds): DiskSpelling {
    return this.#visibility.hasRules ? spellingOf(real, scope) : { real, caseInsensitive: false };
  }

  #locate(path: EntryPath, action: string, use: LinkUse): LocatedEntry {
    // Created lazily: capturing a stack costs more than the lookup.
    const forbidden = () => new DomainError("forbidden", `${action}: access is denied`);
    const inScope = this.inScope(path);
    if (!isCanonical(inScope)) {
      throw new DomainError(
        "invalid_path",
        `${action}: a name in its path is spelled by its bytes`,
      );
    }
    if (!this.#allowsPath(inScope)) throw forbidden();
    const { roots } = this.viewer;
    if (roots) return this.#locateInRoots(roots, path, inScope, action, use);
    const bounds = this.#bounds(action);
    const found = resolve(bounds.base, segmentsOf(path));
    if (found.kind === "outside") this.note?.({ kind: "link" });
    if (found.kind === "outside" || !this.#allowsAll(found, bounds, use)) throw forbidden();
    return { path, name: nameOf(inScope), bounds, found };
  }

  #allowsAll(found: Found | Missing, bounds: Bounds, use: LinkUse): boolean {
    if (!this.#allowsLinks(found.via, bounds)) return false;
    if (found.kind === "found") {
      if (!this.#allowsReal(found.real, bounds) || !this.#isOpen(found.info)) return false;
      if (!this.#allowsSpelling(found.real, bounds)) return false;
      if (found.target === null) return true;
      if (found.target.kind === "outside" && use === "itself") return true;
      return this.allowsTarget(found.target, bounds);
    }
    if (found.names.length === 0) return true;
    const { real, caseInsensitive } = found.isBlocked
      ? { real: found.folder, caseInsensitive: false }
      : this.spelling(found.folder, bounds);
    const missing = found.names.reduce(realChild, real);
    return !this.#isReserved(missing) &&
      this.#allowsPath(belowScope(missing, bounds), caseInsensitive);
  }

  /** Whether the viewer may know of each of the links on the way to an entry. */
  #allowsLinks(links: RealPath[], bounds: Bounds): boolean {
    return links.every((link) => this.#allowsReal(link, bounds));
  }

  /** Whether a real path inside the scope may be known, however it was reached. */
  #allowsReal(real: RealPath, bounds: Bounds): boolean {
    return !this.#isReserved(real) && this.#allowsPath(belowScope(real, bounds));
  }

  #allowsSpelling(real: RealPath, bounds: Bounds): boolean {
    const spelling = this.spelling(real, bounds);
    return !spelling.caseInsensitive ||
      this.#allowsPath(belowScope(spelling.real, bounds), true);
  }

  /** Whether names and rules let the viewer know of a path in the scope. */
  #allowsPath(path: EntryPath, caseInsensitive = false): boolean {
    const by = this.visibility(caseInsensitive).denialOf(path);
    if (by === null) return true;
    const rule = by === "name" ? undefined : this.viewer.rules[by];
    return this.#refuse(rule ? { kind: "rule", rule, path } : { kind: "hidden", path });
  }

  #isReserved(real: RealPath): boolean {
    return this.reserved.covers(real) && !this.#refuse({ kind: "reserved" });
  }

  /** Whether an entry is none of the server's own, by whatever name it was reached. */
  #isOpen(info: Facts): boolean {
    return !this.reserved.is(info) || this.#refuse({ kind: "reserved" });
  }

  #refuse(denial: Denial): false {
    this.note?.(denial);
    return false;
  }

  /** As {@link locate}, for a viewer with named roots: the first name of a path picks one of them. */
  #locateInRoots(
    roots: readonly NamedRoot[],
    path: EntryPath,
    inScope: EntryPath,
    action: string,
    use: LinkUse,
  ): LocatedEntry {
    const forbidden = () => new DomainError("forbidden", `${action}: access is denied`);
    const root = rootNamed(roots, inScope);
    if (!root) {
      const bounds = { scope: virtualTop, base: virtualTop };
      const found = foundAtTop(segmentsOf(inScope));
      if (!this.#allowsAll(found, bounds, use)) throw forbidden();
      return { path, name: nameOf(inScope), bounds, found };
    }
    const bounds = this.boundsOfRoot(root, action);
    const { base } = this.viewer;
    const below = base === undefined ? belowRootName(path, root) : path;
    const found = resolve(bounds.base, segmentsOf(below));
    if (found.kind === "outside") this.note?.({ kind: "link" });
    if (found.kind === "outside" || !this.#allowsAll(found, bounds, use)) throw forbidden();
    return { path, name: nameOf(inScope), bounds, found };
  }

  /**
   * The confinement of paths in a named root.
   *
   * @throws {DomainError} `forbidden`, also where its folder is behind a link; `not_found`
   */
  boundsOfRoot(root: NamedRoot, action: string): Bounds {
    this.#foundRoots ??= new Map();
    const known = this.#foundRoots.get(root);
    if (known) return known;
    const scope = this.#findRoot(root, action);
    const bounds: Bounds = { scope, base: scope, root };
    const { base } = this.viewer;
    if (base !== undefined) {
      bounds.base = this.#enter(scope, segmentsOf(belowRootName(base, root)), action);
      if (!this.#allowsReal(bounds.base, bounds)) {
        throw new DomainError("forbidden", `${action}: access is denied`);
      }
    }
    this.#foundRoots.set(root, bounds);
    return bounds;
  }

  #findRoot({ path }: NamedRoot, action: string): RealPath {
    try {
      return this.#findScope(path, action);
    } catch (error) {
      this.note?.({ kind: "scope" });
      throw error;
    }
  }

  /** Facts about the folder of a named root; null when it may not be known, or is none now. */
  lookAtRoot(root: NamedRoot): Facts | null {
    try {
      const { scope } = this.boundsOfRoot(root, `Cannot look at "${root.name}"`);
      const info = disk.look(scope);
      return info?.isDirectory ? info : null;
    } catch (error) {
      if (error instanceof DomainError || error instanceof DiskError) return null;
      throw error;
    }
  }

  #assertInWritableRoot(
    folded: RealPath,
    bounds: Bounds,
    action: string,
    reach: "entry" | "below",
  ): void {
    const { root } = bounds;
    if (!root) {
      this.note?.({ kind: "top" });
      throw new DomainError("forbidden", `${action}: there are only the named roots beside it`);
    }
    const places = (this.viewer.roots ?? []).map((each) => {
      const real = segmentsOf(placeOfRoot(each)).reduce(realChild, this.#root);
      return { root: each, real: foldName(real) as RealPath };
    });
    const innermost = places.filter(({ real }) => isBelow(folded, real))
      .reduce((a, b) => b.real.length > a.real.length ? b : a, { root, real: "" as RealPath });
    const below = reach === "below"
      ? places.find((place) => place.root.readOnly && isBelow(place.real, folded))
      : undefined;
    const kept = [root, innermost.root, below?.root].find((each) => each?.readOnly);
    if (!kept) return;
    this.note?.({ kind: "read_only" });
    throw new DomainError("forbidden", `${action}: "/${kept.name}" is read-only`);
  }

  #bounds(action: string): Bounds {
    try {
      return this.#found ??= this.#findBounds(action);
    } catch (error) {
      this.note?.({ kind: "scope" });
      throw error;
    }
  }

  #findBounds(action: string): Bounds {
    const scope = this.#findScope(this.viewer.scope, action);
    if (this.viewer.base === undefined) return { scope, base: scope };
    const base = this.#enter(scope, segmentsOf(this.viewer.base), action);
    if (!this.#allowsReal(base, { scope, base })) {
      throw new DomainError("forbidden", `${action}: access is denied`);
    }
    return { scope, base };
  }

  /**
   * The folder of the scope. No link on the way to it is followed, even one that stays in the root: a
   * user who may write above it would decide where it leads.
   */
  #findScope(scope: string, action: string): RealPath {
    const real = scopeNames(scope).reduce(realChild, this.#root);
    if (real === this.#root) return real;
    const denied = () => new DomainError("forbidden", `${action}: its scope is behind a link`);
    try {
      const info = disk.look(real);
      if (info === null) throw new DomainError("not_found", `${action}: its scope is not there`);
      if (info.isSymlink) throw denied();
      if (this.reserved.covers(real) || this.reserved.is(info)) {
        throw new DomainError("forbidden", `${action}: access is denied`);
      }
      return real;
    } catch (error) {
      throw error instanceof DiskError && error.code === "ELOOP" ? denied() : error;
    }
  }

  #enter(root: RealPath, names: string[], action: string): RealPath {
    const found = resolve(root, names);
    const target = found.kind === "found" ? found.target : null;
    if (found.kind === "outside" || target?.kind === "outside") {
      throw new DomainError("forbidden", `${action}: access is denied`);
    }
    if (found.kind === "missing" || target?.kind === "broken") {
      throw new DomainError("not_found", `${action}: its scope is not there`);
    }
    const real = target?.real ?? found.real;
    if (this.reserved.covers(real) || this.reserved.is(target?.info ?? found.info)) {
      throw new DomainError("forbidden", `${action}: access is denied`);
    }
    return real;
  }
}

function foundAtTop(names: string[]): Found | Missing {
  if (names.length === 0) {
    const info = unknownFacts("folder");
    return { kind: "found", real: virtualTop, info, target: null, via: [] };
  }
  return { kind: "missing", folder: virtualTop, names, isBlocked: false, via: [] };
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
