import type { IconNode } from "lucide";
import type { ReactNode } from "react";
import { Icon } from "../../../../components/Icon.tsx";

interface ListRowProps {
  className?: string;
  glyph: IconNode;
  /** The subject of the row, with its badges. */
  name: ReactNode;
  /** Shown where the mouse rests on the name. */
  title?: string;
  facts?: ReactNode;
  /** The button at the end. */
  children?: ReactNode;
}

/** One row of a card that lists sessions, tokens, factors or links. */
export function ListRow(
  { className = "sessions__row", glyph, name, title, facts, children }: ListRowProps,
) {
  return (
    <li className={className}>
      <span className="sessions__sign">
        <Icon glyph={glyph} />
      </span>
      <div>
        <p className="sessions__name" title={title}>{name}</p>
        {facts !== undefined && <p className="sessions__facts">{facts}</p>}
      </div>
      {children}
    </li>
  );
}
