import { foldName } from "../../shared/fold.ts";
import { RuleMatcher } from "../../shared/rules/matcher.ts";
import { isDotName, isOwnName } from "./names.ts";
import type { Viewer } from "./viewer.ts";

/**
 * The entries that a viewer may see, by path alone: rules, the folder that bounds it, dotfiles, and
 * the server's own temporary files and trash, which are always hidden. Paths are those inside the
 * owner's scope ("/a/b"), whatever folder was shared.
 */
export class VisibilityFilter {
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
