import type { Denial, NoteDenial } from "./denial.ts";
import { isCanonical } from "../../../shared/entry_names.ts";
import { type Facts, unknownFacts } from "../disk/facts.ts";
import { DomainError } from "../../../shared/errors.ts";
import { asRefusal } from "./os_errors.ts";
import { type EntryPath, joinPaths, nameOf, parentOf, segmentsOf } from "../../../shared/path.ts";
import { isBelow, realChild, realParent, type RealPath, realPathBelow } from "../disk/real_path.ts";
import { belowRootName, placeOfRoot, rootNamed } from "../../../shared/named_roots.ts";
import type { NamedRoot } from "../../../shared/schemas/named_root.ts";
import { isDotName, isOwnName, virtualTop } from "./names.ts";
import { Reserved } from "./reserved.ts";
import { type Found, type LinkTarget, type Missing, resolve } from "./resolve.ts";
import { belowScope, type Bounds, deniedError, Scopes } from "./scopes.ts";
import { type DiskSpelling, spellingOf } from "./disk_spelling.ts";
import type { GateSpec, Viewer } from "./viewer.ts";
import { foldName } from "../../../shared/fold.ts";
import { RuleMatcher } from "../../../shared/rules/matcher.ts";

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
 * Made for one viewer and one operation.
 */
export class Locator {
  readonly reserved: Reserved;
  readonly scopes: Scopes;
  readonly #visibility: VisibilityFilter;
  // Most operations need neither of these.
  #readOnly: ReadOnlyPaths | undefined;
  #caseInsensitive: VisibilityFilter | undefined;

  /** @param note called with the reason of each refusal: for explanations alone */
  constructor(readonly spec: GateSpec, readonly viewer: Viewer, readonly note?: NoteDenial) {
    this.reserved = new Reserved(spec);
    const allowsReal = (real: RealPath, bounds: Bounds) => this.#allowsReal(real, bounds);
    this.scopes = new Scopes(spec, viewer, { reserved: this.reserved, allowsReal, note });
    this.#visibility = new VisibilityFilter(viewer);
  }

  /** Refuses changes of read-only paths. */
  get readOnly(): ReadOnlyPaths {
    return this.#readOnly ??= new ReadOnlyPaths(this.spec, this.viewer, this.note);
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
   * Refuses an entry that is missing unless the viewer may know of each missing folder on the way.
   * Nothing is looked up again: a path may be very deep.
   *
   * @throws {DomainError} `forbidden`
   */
  checkMissing({ path, bounds, found }: LocatedEntry, action: string): void {
    if (found.kind !== "missing") return;
    const { real, caseInsensitive } = this.spelling(found.folder, bounds);
    let missing = found.names.reduce(realChild, real);
    let parent = this.inScope(path);
    for (let count = 1; count < found.names.length; count++) {
      [missing, parent] = [realParent(missing), parentOf(parent)];
      const isAllowed = this.#allowsPath(parent) &&
        this.#allowsMissing(missing, bounds, caseInsensitive);
      if (!isAllowed) throw deniedError(action);
    }
  }

  /** The names that are hidden, for the spelling of names that the disk uses. */
  visibility(caseInsensitive = false): VisibilityFilter {
    if (!caseInsensitive) return this.#visibility;
    return this.#caseInsensitive ??= new VisibilityFilter(this.viewer, { caseInsensitive: true });
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
    const inScope = this.inScope(path);
    if (!isCanonical(inScope)) {
      throw new DomainError(
        "invalid_path",
        `${action}: the path is not in canonical encoding`,
      );
    }
    if (!this.#allowsPath(inScope)) throw deniedError(action);
    const { bounds, found } = this.#find(path, inScope, action);
    if (found.kind === "outside") this.note?.({ kind: "link" });
    if (found.kind === "outside" || !this.#allowsAll(found, bounds, use)) throw deniedError(action);
    return { path, name: nameOf(inScope), bounds, found };
  }

  /** Looks a path up on the disk; with named roots, its first name picks one of them. */
  #find(path: EntryPath, inScope: EntryPath, action: string) {
    const { roots, base } = this.viewer;
    const root = roots && rootNamed(roots, inScope);
    if (roots && !root) {
      return { bounds: { scope: virtualTop, base: virtualTop }, found: foundAtTop(inScope) };
    }
    const bounds = this.scopes.bounds(action, root);
    const below = root && base === undefined ? belowRootName(path, root) : path;
    return { bounds, found: resolve(bounds.base, segmentsOf(below)) };
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
    return this.#allowsMissing(found.names.reduce(realChild, real), bounds, caseInsensitive);
  }

  #allowsMissing(missing: RealPath, bounds: Bounds, caseInsensitive: boolean): boolean {
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
}

function foundAtTop(path: EntryPath): Found | Missing {
  const names = segmentsOf(path);
  if (names.length === 0) {
    const info = unknownFacts("folder");
    return { kind: "found", real: virtualTop, info, target: null, via: [] };
  }
  return { kind: "missing", folder: virtualTop, names, isBlocked: false, via: [] };
}

/**
 * The entries that a viewer may see, by path alone: rules, the folder that bounds it, dotfiles, and
 * the server's own temporary files and trash, which are always hidden. Paths are those inside the
 * owner's scope ("/a/b"), whatever folder was shared.
 */
class VisibilityFilter {
  readonly #rules: RuleMatcher;
  readonly #hideDotfiles: boolean;
  /** The folder that bounds the viewer; "" for none, as paths begin with it and a slash. */
  readonly #within: string;
  readonly #folds: boolean;

  /** @param options.caseInsensitive for a file system on which "/A" is "/a" */
  constructor(viewer: Viewer, options: { caseInsensitive?: boolean } = {}) {
    this.#rules = new RuleMatcher(viewer.rules, options);
    this.#hideDotfiles = viewer.hideDotfiles;
    this.#folds = options.caseInsensitive === true;
    const within = viewer.within === undefined || viewer.within === "/" ? "" : viewer.within;
    this.#within = this.#folds ? foldName(within) : within;
  }

  /** Whether there are any rules. */
  get hasRules(): boolean {
    return !this.#rules.isEmpty;
  }

  /** Whether names alone can hide an entry. */
  get hidesNothing(): boolean {
    return this.#rules.isEmpty && !this.#hideDotfiles && this.#within === "";
  }

  /** Whether the viewer may know of an entry. Every segment is looked at, not just the last. */
  allows(path: string): boolean {
    return this.denialOf(path) === null;
  }

  /**
   * By what an entry is hidden: its name or the bound, or the index of a rule; null if it is not.
   */
  denialOf(path: string): "name" | number | null {
    if (!this.#isWithin(path)) return "name";
    if (!path.split("/").every((name) => this.#allowsName(name))) return "name";
    return this.#rules.allows(path) ? null : this.#rules.deciding(path);
  }

  /** Whether no rule denies an entry, whatever its name. */
  rulesAllow(path: string): boolean {
    return this.#rules.allows(path);
  }

  /** The same as {@link allows} for the names in a folder that is itself visible. */
  allowsIn(folder: string): (name: string) => boolean {
    const prefix = folder === "/" ? "/" : `${folder}/`;
    // All that is in a folder below the bound is so as well.
    if (!this.#isWithin(folder)) return (name) => this.allows(prefix + name);
    if (this.#rules.isEmpty) return (name) => this.#allowsName(name);
    const allows = this.#rules.allowsIn(folder);
    return (name) => this.#allowsName(name) && allows(prefix + name);
  }

  #isWithin(path: string): boolean {
    if (this.#within === "") return true;
    const spelled = this.#folds ? foldName(path) : path;
    return spelled === this.#within || spelled.startsWith(`${this.#within}/`);
  }

  #allowsName(name: string): boolean {
    return !isDotName(name) || (!this.#hideDotfiles && !isOwnName(name));
  }
}

/** The depth of an operation: an entry alone, or with everything below it. */
type Depth = "entry" | "below";

/** Refuses changes of read-only paths: the program's own, and those in read-only named roots. */
class ReadOnlyPaths {
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
