import { CloudAlert, Search as SearchGlyph, SearchX } from "lucide";
import { useTranslation } from "react-i18next";
import { type EntryPath, nameOf, ROOT } from "../../../shared/path.ts";
import { reasonOf } from "../../base/api/reasons.ts";
import type { Search } from "./search.ts";
import { Button } from "../../../../components/Button.tsx";
import { StatusScreen } from "../../../../components/StatusScreen.tsx";
import { Spinner } from "../../../../components/Icon.tsx";

interface SearchStateProps {
  search: Search;
  here: EntryPath;
}

/** The placeholder of a search without results. */
export function SearchState({ search, here }: SearchStateProps) {
  const { t } = useTranslation();
  const failure = search.failure.value;
  switch (search.status.value) {
    case "idle":
      return (
        <StatusScreen
          glyph={SearchGlyph}
          title={t("search.idleTitle")}
          text={t("search.idleText")}
        />
      );
    case "short":
      return (
        <StatusScreen
          glyph={SearchGlyph}
          title={t("search.shortTitle")}
          text={t("search.shortText")}
        />
      );
    case "searching":
      return (
        <div className="search__wait">
          <Spinner />
          <p>{t("search.searching")}</p>
        </div>
      );
    case "failed":
      return (
        <StatusScreen
          variant="error"
          glyph={CloudAlert}
          title={t("search.failedTitle")}
          text={failure ? reasonOf(t, failure) : ""}
        >
          <Button onClick={() => search.again()}>{t("buttons.retry")}</Button>
        </StatusScreen>
      );
    case "done": {
      const narrow = here !== ROOT && !search.asked.value.everywhere;
      return (
        <StatusScreen
          glyph={SearchX}
          title={t("search.noneTitle")}
          text={narrow ? t("search.noneHere", { name: nameOf(here) }) : t("search.noneText")}
        >
          {narrow && (
            <Button onClick={() => search.widen(true)}>{t("search.searchEverywhere")}</Button>
          )}
        </StatusScreen>
      );
    }
  }
}
