import { createPortal, type ReactNode } from "react";

interface ButtonsInRowProps {
  row: HTMLElement;
  children: ReactNode;
}

/** Buttons drawn into a row that is rendered already; clicks on them do not reach the row. */
export function ButtonsInRow({ row, children }: ButtonsInRowProps) {
  return createPortal(
    <div
      role="gridcell"
      className="row__acts"
      onClick={(event) => event.stopPropagation()}
      onDblClick={(event) => event.stopPropagation()}
    >
      {children}
    </div>,
    row,
  );
}
