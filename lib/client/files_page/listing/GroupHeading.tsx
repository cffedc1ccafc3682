import { useTranslation } from "react-i18next";
import type { Group } from "../../../shared/schemas/entry.ts";
import { formatNumber } from "../../base/core/format.ts";

interface GroupHeadingProps {
  title: string;
  /** The number of its entries. */
  count: number;
  /** Where it lies with its entries, in views that place each entry. */
  span?: Record<string, string> | undefined;
}

/** The line above the entries of a group, such as a kind of files or a day, and their number. */
export function GroupHeading({ title, count, span }: GroupHeadingProps) {
  const { i18n: { language } } = useTranslation();
  const heading = (
    <div role="row" className="group">
      <div role="rowheader" className="group__name">
        {title}
        <span className="group__count">{formatNumber(count, language)}</span>
      </div>
    </div>
  );
  if (!span) return heading;
  return <div role="presentation" className="group-span" style={span}>{heading}</div>;
}

/** The first index of each group; undefined where entries are not grouped. */
export function startsOf(groups: readonly Pick<Group, "count">[]): number[] | undefined {
  if (groups.length === 0) return undefined;
  let next = 0;
  return groups.map(({ count }) => {
    const start = next;
    next += count;
    return start;
  });
}
