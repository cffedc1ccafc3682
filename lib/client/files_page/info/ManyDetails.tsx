import { useTranslation } from "react-i18next";
import type { Entry } from "../../../shared/api_types.ts";
import { formatBytes, formatNumber } from "../../base/core/format.ts";
import { type EntryKind, entryKind } from "../../../shared/entry_kind.ts";
import type { InfoQuestion } from "../../base/prompts/prompts.ts";
import { Fact } from "./MediaFacts.tsx";
import { FolderTotals } from "./FolderTotals.tsx";

/** The totals of several entries, and of which kinds they are. */
export function ManyDetails({ input }: { input: InfoQuestion }) {
  const { t, i18n: { language } } = useTranslation();
  const { folder, names, entries, count } = input;
  const allKnown = entries.length === count;
  const files = entries.filter(({ isDir }) => !isDir);
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  return (
    <div className="info">
      <dl className="info__facts">
        <Fact name={t("info.total")}>
          {allKnown && files.length === count
            ? formatBytes(bytes, language)
            : <FolderTotals folder={folder} names={names} state={stateOf(input)} />}
        </Fact>
        {allKnown && (
          <Fact name={t("info.kind")}>
            {kindsOf(entries).map(([kind, count]) => (
              <span className="info__count" key={kind}>
                {t(`info.kinds.${kind}`)} <b>{formatNumber(count, language)}</b>
              </span>
            ))}
          </Fact>
        )}
        <Fact name={t("files.path")}>
          <span className="info__path" dir="auto">{folder}</span>
        </Fact>
      </dl>
    </div>
  );
}

/** The kinds of entries with their numbers, the most frequent first. */
function kindsOf(entries: readonly Entry[]): [EntryKind, number][] {
  const counts = new Map<EntryKind, number>();
  for (const entry of entries) {
    const kind = entryKind(entry);
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  return [...counts].sort(([, a], [, b]) => b - a);
}

/** Changes when other entries are chosen, or one of them changes. */
function stateOf({ count, entries }: InfoQuestion): string {
  return [count, ...entries.map(({ name, modified }) => `${name} ${modified}`)].join("/");
}
