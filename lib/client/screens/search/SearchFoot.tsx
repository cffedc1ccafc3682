import { CircleAlert, X } from "lucide";
import { useTranslation } from "react-i18next";
import { lazy } from "../../base/core/lazy.ts";
import { useLazy } from "../../base/core/use_site.ts";
import { reasonOf } from "../../base/api/reasons.ts";
import { IconButton, Tick } from "../../../../components/Button.tsx";
import { Icon } from "../../../../components/Icon.tsx";
import { MOST_HITS } from "./best_hits.ts";
import { targetOfHits } from "./hit_target.ts";
import type { Search } from "./search.ts";

const listingParts = lazy(() => import("../../files_page/listing/listing_parts.ts"));

interface SearchFootProps {
  search: Search;
}

/** The number of results, the error, and the shortcuts; what can be done with selected results. */
export function SearchFoot({ search }: SearchFootProps) {
  const { t } = useTranslation();
  const { count } = search.found.value;
  const failure = search.failure.value;
  const searching = search.status.value === "searching";
  const told = useStatusText(search);
  return (
    <div className="search__foot">
      {count > 0 && failure && (
        <p role="alert" className="search__broken">
          <Icon glyph={CircleAlert} />
          {t("search.broken", { reason: reasonOf(t, failure) })}
        </p>
      )}
      <p role="status" className="unseen">{searching ? t("search.searching") : told}</p>
      {search.chosen.value.size > 0 ? <SelectedHits search={search} /> : (
        <>
          <p className="search__count" aria-hidden="true">{told}</p>
          <p className="search__keys" aria-hidden="true">
            <kbd>↵</kbd> {t("search.keyOpen")}
            <kbd>{t("search.keyCtrl")}</kbd>
            <kbd>↵</kbd> {t("search.keyShow")}
            <kbd>⇧</kbd>
            <kbd>↵</kbd> {t("files.select")}
          </p>
        </>
      )}
    </div>
  );
}

/** The number of results, in words. */
function useStatusText(search: Search): string {
  const { t } = useTranslation();
  const { count } = search.found.value;
  const status = search.status.value;
  if (status === "searching") {
    return count > 0 ? t("search.soFar", { count }) : t("search.searching");
  }
  if (count > MOST_HITS) return t("search.cut", { amount: count, most: MOST_HITS });
  if (status === "done" || count > 0) return t("search.count", { count });
  return "";
}

/** The number of selected results, and the actions on them. */
function SelectedHits({ search }: SearchFootProps) {
  const { t } = useTranslation();
  const { size } = search.chosen.value;
  const { hits } = search.found.value;
  const code = useLazy(listingParts, true);
  return (
    <div className="search__selected" role="group" aria-label={t("files.actionsOfSelection")}>
      <Tick
        label={t("files.selectAll")}
        checked={size === hits.length}
        partly={size < hits.length}
        onChange={() => search.chooseAll(size < hits.length)}
      />
      <p className="search__count" role="status">{t("files.selected", { count: size })}</p>
      {code && (
        <code.TargetActions
          count={size}
          target={() => targetOfHits(search.found.peek().base, search.chosenHits())}
          onChanged={() => search.again()}
        />
      )}
      <IconButton
        label={t("files.clearSelection")}
        glyph={X}
        onClick={() => search.chooseAll(false)}
      />
    </div>
  );
}
