import type { Signal } from "@preact/signals";
import type { RefObject } from "react";
import { IconButton } from "../../../../components/Button.tsx";
import { indexOf } from "../../base/files/page_dom.ts";
import { ButtonsInRow } from "../menu/ButtonsInRow.tsx";
import type { MenuRequest } from "../menu/row_menu.ts";
import { useActiveRow } from "../menu/use_active_row.ts";
import type { Act } from "./Acts.tsx";

interface QuickActsProps {
  /** The element that scrolls the rows. */
  scroller: RefObject<HTMLElement>;
  menu: Signal<MenuRequest | null>;
  /** What can be done with the row at a place, with the row's name. */
  actsAt: (index: number) => readonly Act[];
}

/** The buttons for the one row that the mouse is over, or that has the keyboard's focus. */
export function QuickActs({ scroller, menu, actsAt }: QuickActsProps) {
  const row = useActiveRow(scroller, menu);
  if (!row?.isConnected) return null;
  return (
    <ButtonsInRow row={row}>
      {actsAt(indexOf(row)).map(({ id, label, title = label, glyph, run }) => (
        <IconButton key={id} data-act={id} label={title} glyph={glyph} onClick={run} />
      ))}
    </ButtonsInRow>
  );
}
