import { FolderSearch, ListChecks } from "lucide";
import { useTranslation } from "react-i18next";
import { useRootAccess } from "../../base/core/root_access.ts";
import { useMay } from "../../base/core/use_site.ts";
import { COMMAND_GLYPHS } from "../../base/files/glyphs.ts";
import { canChangeAll, type Target } from "../../base/files/target.ts";
import { useFiles } from "../../base/files/use_files.ts";
import type { Act } from "../../files_page/selection/Acts.tsx";
import { targetOfHits } from "./hits.ts";
import type { RankedHit } from "./ranking.ts";
import type { Search } from "./search.ts";

/**
 * Returns the actions on results of a search, wherever they lie: at least one. Those that change
 * something search again.
 */
export function useHitActs(search: Search): (hits: readonly RankedHit[]) => Act[] {
  const { t } = useTranslation();
  const { actions } = useFiles();
  const may = useMay();
  const rootAccess = useRootAccess();
  return (hits) => {
    const target = targetOfHits(search.found.peek().base, hits);
    const canChange = canChangeAll(rootAccess, target);
    const changing = (act: (target: Target) => Promise<void>) => async () => {
      await act(target);
      search.again();
    };
    const offers = [
      ["download", may("download"), () => actions.downloadSelection(target)],
      [
        "share",
        hits.length === 1 && may("share") && may("download"),
        () => actions.share(target),
      ],
      ["moveTo", canChange && may("rename"), changing((target) => actions.move(target))],
      ["copyTo", may("create"), changing((target) => actions.copy(target))],
      [
        "delete",
        canChange && may("delete"),
        changing((target) => actions.deleteSelection(false, target)),
      ],
    ] as const;
    return offers.filter(([, isOffered]) => isOffered).map(([id, , act]) => ({
      id,
      label: t(`commands.${id}`),
      glyph: COMMAND_GLYPHS[id],
      isDanger: id === "delete",
      run: () => void act(),
    }));
  };
}

/** The actions of the menu of one result: those on all that are selected, if it is one of them. */
export function useHitMenu(
  search: Search,
  onChoose: (index: number, choice: "show" | "toggle") => void,
): (index: number) => { title: string; isOne: boolean; acts: Act[] } | null {
  const { t } = useTranslation();
  const actsOn = useHitActs(search);
  return (index) => {
    const hit = search.found.peek().hits[index];
    if (!hit) return null;
    const chosen = search.chosen.peek();
    const hits = chosen.has(hit.path) ? search.chosenHits() : [hit];
    const isOne = hits.length === 1;
    return {
      title: isOne ? hit.name : t("files.selected", { count: hits.length }),
      isOne,
      acts: [
        ...isOne
          ? [{
            id: "show",
            label: t("search.keyShow"),
            glyph: FolderSearch,
            run: () => onChoose(index, "show"),
          }]
          : [],
        ...chosen.has(hit.path) ? [] : [{
          id: "select",
          label: t("files.select"),
          glyph: ListChecks,
          run: () => onChoose(index, "toggle"),
        }],
        ...actsOn(hits),
      ],
    };
  };
}
