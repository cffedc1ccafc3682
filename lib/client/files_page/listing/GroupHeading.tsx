import { useTranslation } from "react-i18next";
import type { Group } from "../../../shared/api_types.ts";
import { entryKinds } from "../../../shared/entry_kind.ts";
import { formatMonth, formatNumber } from "../../base/core/format.ts";

/** The first index of each group; undefined where entries are not grouped. */
export function startsOf(groups: readonly Group[]): number[] | undefined {
  if (groups.length === 0) return undefined;
  let next = 0;
  return groups.map(({ count }) => {
    const start = next;
    next += count;
    return start;
  });
}

interface GroupHeadingProps {
  group: Group;
}

/** The line above the entries of a group: a kind of files, or a month, and their number. */
export function GroupHeading({ group: { name, count } }: GroupHeadingProps) {
  const { t, i18n: { language } } = useTranslation();
  const kind = entryKinds.find((kind) => kind === name);
  return (
    <div role="row" className="group">
      <div role="rowheader" className="group__name">
        {kind ? t(`views.groups.${kind}`) : formatMonth(name, language)}
        <span className="group__count">{formatNumber(count, language)}</span>
      </div>
    </div>
  );
}
