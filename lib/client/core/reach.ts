import { type EntryPath, isInside, parentOf, ROOT } from "../../shared/path.ts";
import type { Translate } from "../../shared/i18n/instance.ts";
import { usePage } from "./page.ts";

/**
 * The reach of a user with named roots, whatever the permissions: no changes at the virtual top,
 * nor in read-only roots. Others can change whatever they may.
 */
export class Reach {
  readonly #readOnly: readonly EntryPath[] | undefined;

  /** @param readOnly the read-only paths of a user with named roots */
  constructor(readOnly: readonly EntryPath[] | undefined) {
    this.#readOnly = readOnly;
  }

  /** Whether something can be made in a folder. */
  takes(folder: EntryPath): boolean {
    const readOnly = this.#readOnly;
    return !readOnly || folder !== ROOT && !readOnly.some((path) => isInside(folder, path));
  }

  /** Whether an entry can be renamed, moved, deleted or overwritten. */
  changes(path: EntryPath): boolean {
    const readOnly = this.#readOnly;
    return !readOnly || this.takes(parentOf(path)) && this.takes(path) &&
        !readOnly.some((each) => isInside(each, path));
  }

  /** The sentence that tells why a folder takes nothing. */
  why(t: Translate, folder: EntryPath): string {
    return folder === ROOT ? t("files.top") : t("files.readOnly");
  }
}

/** The reach of the page's user. */
export function useReach(): Reach {
  return new Reach(usePage().data.readOnlyPaths);
}
