import { useTranslation } from "react-i18next";
import type { Memory } from "../../../shared/schemas/timeline.ts";
import { parsePath } from "../../../shared/path.ts";
import { displayName } from "../../../shared/entry_names.ts";
import { lazy } from "../../base/core/lazy.ts";
import { useLazy } from "../../base/core/use_site.ts";
import { useFiles } from "../../base/files/use_files.ts";
import { EntryIcon } from "../../files_page/listing/thumbs/EntryIcon.tsx";

const thumbs = lazy(() => import("../../files_page/listing/thumbs/Thumb.tsx"));

/** Photos of this day in former years, the latest year first. */
export function Memories({ memories }: { memories: readonly Memory[] }) {
  const { t } = useTranslation();
  const { navigation } = useFiles();
  const code = useLazy(thumbs, true);
  return (
    <section className="memories" aria-label={t("photos.onThisDay")}>
      <h2 className="memories__title">{t("photos.onThisDay")}</h2>
      <ul className="memories__list" tabIndex={-1}>
        {memories.flatMap(({ year, count, items }) => {
          const [first] = items;
          if (!first) return [];
          const { path } = parsePath(first.path);
          return [
            <li key={year}>
              <a
                className="memory"
                data-place
                href={navigation.href(path, false)}
                title={displayName(first.name)}
              >
                {code ? <code.Thumb entry={first} /> : <EntryIcon entry={first} />}
                <span className="memory__words">
                  <b>{year}</b>
                  <span>{t("files.fileCount", { count })}</span>
                </span>
              </a>
            </li>,
          ];
        })}
      </ul>
    </section>
  );
}
