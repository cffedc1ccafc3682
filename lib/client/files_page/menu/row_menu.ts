import { indexOf } from "../../base/files/page_dom.ts";

/** A request to open the menu of actions. */
export interface MenuRequest {
  /** `selection`: its actions; `folder`: those of the open folder; `new`: what can be added. */
  of: "selection" | "folder" | "new";
  /** The point in the window at which it opens, in CSS pixels. */
  x: number;
  y: number;
  /**
   * The entry was selected only for this menu, by the button of a row: the selection is cleared
   * afterwards.
   */
  transientSelection?: boolean;
  /** The row whose quick actions have opened it: they stay until it is closed. */
  row?: HTMLElement;
}

/** Below an element, aligned with its end. */
export function below(element: Element): Pick<MenuRequest, "x" | "y"> {
  const { left, right, bottom } = element.getBoundingClientRect();
  return { x: getComputedStyle(element).direction === "rtl" ? left : right, y: bottom + 6 };
}

/** The handlers of the element that scrolls the rows. */
export interface RowMenu {
  onContextMenu: (event: MouseEvent) => void;
  onKeyDown: (event: KeyboardEvent) => void;
  onClick: (event: MouseEvent) => void;
}

/** Opens the menu of an entry, or of the folder for -1; `row` has a button for it. */
export type OpenRowMenu = (
  index: number,
  point: Pick<MenuRequest, "x" | "y">,
  row?: HTMLElement | null,
) => void;

/**
 * Opens the menu of a row on right click, on the menu keys, and by the button of each row; on empty
 * space that of the folder.
 */
export function rowMenu(open: OpenRowMenu): RowMenu {
  return {
    onContextMenu(event) {
      if (event.defaultPrevented) return;
      event.preventDefault();
      open(indexOf(event.target), { x: event.clientX, y: event.clientY });
    },
    onKeyDown(event) {
      if (event.key !== "ContextMenu" && !(event.key === "F10" && event.shiftKey)) return;
      const index = indexOf(event.target);
      if (index < 0 || !(event.target instanceof Element)) return;
      event.preventDefault();
      const { left, bottom } = event.target.getBoundingClientRect();
      open(index, { x: left, y: bottom });
    },
    onClick(event) {
      if (!(event.target instanceof Element)) return;
      const button = event.target.closest(".row__more");
      if (button) open(indexOf(button), below(button), button.closest<HTMLElement>("[data-index]"));
    },
  };
}
