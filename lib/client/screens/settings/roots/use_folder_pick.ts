import { useTranslation } from "react-i18next";
import { pathIn, type Placed, placeIn, topsOf } from "../../../../shared/named_roots.ts";
import { parsePath, ROOT } from "../../../../shared/path.ts";
import { usePrompts } from "../../../base/core/use_site.ts";

/**
 * Lets an administrator pick a folder, or make one, for a setting that takes a path below the
 * server's root.
 *
 * @param own the place of the administrator, who picks among the own folders
 * @returns asks for a folder, beginning at the typed one; null when none is chosen
 */
export function useFolderPick(own: Placed): (typed: string) => Promise<string | null> {
  const prompts = usePrompts();
  return async (typed) => {
    const chosen = await prompts.open("destination", {
      action: "choose",
      paths: [],
      start: shownPath(own, typed),
      mayCreate: true,
    });
    return chosen === null ? null : placeIn(own, chosen);
  };
}

/** A hint, which tells administrators with a narrower scope what they pick from. */
export function useScopeHint(own: Placed): (hint: string) => string {
  const { t } = useTranslation();
  const isNarrow = !topsOf(own).includes(ROOT);
  return (hint) => isNarrow ? `${hint} ${t("settings.scopeOwn")}` : hint;
}

/** A folder as the administrator finds it; "/" while it is none, or out of reach. */
function shownPath(own: Placed, typed: string) {
  try {
    return pathIn(own, parsePath(`/${typed.trim()}`).path) ?? ROOT;
  } catch {
    return ROOT;
  }
}
