import { RuleMatcher } from "../../shared/rules/matcher.ts";
import { isDotName, isOwnName } from "./names.ts";
import type { Viewer } from "./viewer.ts";

/**
 * What a viewer may see, by path alone: rules, dotfiles, and the server's own temporary files and
 * trash, which are always hidden. Paths are those inside the owner's scope ("/a/b"), whatever folder was shared.
 */
export class VisibilityFilter {
  readonly #rules: RuleMatcher;
  readonly #hideDotfiles: boolean;

  /** @param options.caseInsensitive for a file system on which "/A" is "/a" */
  constructor(viewer: Viewer, options: { caseInsensitive?: boolean } = {}) {
    this.#rules = new RuleMatcher(viewer.rules, options);
    this.#hideDotfiles = viewer.hideDotfiles;
  }

  /** Whether there are any rules. */
  get hasRules(): boolean {
    return !this.#rules.isEmpty;
  }

  /** Whether names alone can hide an entry. */
  get hidesNothing(): boolean {
    return this.#rules.isEmpty && !this.#hideDotfiles;
  }

  /** Whether the viewer may know of an entry. Every segment is looked at, not just the last. */
  allows(path: string): boolean {
    return path.split("/").every((name) => this.#allowsName(name)) && this.#rules.allows(path);
  }

  /** The same as {@link allows} for the names in a folder that is itself visible. */
  allowsIn(folder: string): (name: string) => boolean {
    const prefix = folder === "/" ? "/" : `${folder}/`;
    if (this.#rules.isEmpty) return (name) => this.#allowsName(name);
    const allows = this.#rules.allowsIn(folder);
    return (name) => this.#allowsName(name) && allows(prefix + name);
  }

  #allowsName(name: string): boolean {
    return !isDotName(name) || (!this.#hideDotfiles && !isOwnName(name));
  }
}
