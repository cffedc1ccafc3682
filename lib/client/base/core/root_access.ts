import { type Signal, signal } from "@preact/signals";
import type { TFunction } from "i18next";
import { type EntryPath, isInside, parentOf, ROOT } from "../../../shared/path.ts";
import type { RootsInfo } from "../../../shared/named_roots.ts";
import { usePage, useShared } from "./page.ts";

/**
 * The reach of a user with named roots, whatever the permissions: no changes at the virtual top,
 * nor in read-only roots. Others can change whatever they may. Its answers are followed as signals
 * are: a group may give or take roots while the page is open.
 */
export class RootAccess {
  readonly #roots: Signal<RootsInfo | null>;

  /** @param roots the named roots of the user */
  constructor(roots: RootsInfo | null = null) {
    this.#roots = signal(roots);
  }

  /** The named roots as they are now; null for a user with a scope. */
  get roots(): RootsInfo | null {
    return this.#roots.value;
  }

  /** Takes the named roots as the server tells them. @returns whether they are others */
  update(roots: RootsInfo | null): boolean {
    if (JSON.stringify(roots) === JSON.stringify(this.#roots.peek())) return false;
    this.#roots.value = roots;
    return true;
  }

  /** Whether a folder is the top of what is read-only, and is marked as such. */
  isReadOnlyTop(folder: EntryPath): boolean {
    return this.roots?.readOnlyPaths.includes(folder) ?? false;
  }

  /** Whether something can be made in a folder. */
  canAddTo(folder: EntryPath): boolean {
    const { roots } = this;
    return !roots ||
      folder !== ROOT && !roots.readOnlyPaths.some((path) => isInside(folder, path));
  }

  /** Whether an entry can be renamed, moved, deleted or overwritten. */
  canChange(path: EntryPath): boolean {
    const { roots } = this;
    return !roots || this.canAddTo(parentOf(path)) && this.canAddTo(path) &&
        !roots.readOnlyPaths.some((each) => isInside(each, path));
  }

  /** The sentence that tells why a folder takes nothing. */
  reasonAgainst(t: TFunction, folder: EntryPath): string {
    return folder === ROOT ? t("files.top") : t("files.readOnly");
  }
}

/** The reach of the page's user. */
export function useRootAccess(): RootAccess {
  const { roots } = usePage().data;
  return useShared("root-access", () => new RootAccess(roots));
}
