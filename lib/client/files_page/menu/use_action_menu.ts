import { type Signal, signal } from "@preact/signals";
import { useShared } from "../../base/core/page.ts";
import { indexOf } from "../../base/files/page_dom.ts";
import { useFiles } from "../../base/files/use_files.ts";

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

/** The menu of actions: set to open it, null while it is closed. */
export function useActionMenu(): Signal<MenuRequest | null> {
  return useShared("action-menu", () => signal<MenuRequest | null>(null));
}

/** Below an element, aligned with its end. */
export function below(element: Element): Pick<MenuRequest, "x" | "y"> {
  const { left, right, bottom } = element.getBoundingClientRect();
  return { x: getComputedStyle(element).direction === "rtl" ? left : right, y: bottom + 6 };
}

/** The attributes and handlers of a button that opens a menu: by a click, or by the arrow down. */
export function useMenuButton(of: MenuRequest["of"]) {
  const menu = useActionMenu();
  const open = (button: Element) => menu.value = { of, ...below(button) };
  return {
    "aria-haspopup": "menu",
    "aria-expanded": menu.value?.of === of && !menu.value.row,
    onClick: ({ currentTarget }: { currentTarget: Element }) => void open(currentTarget),
    onKeyDown: (event: KeyboardEvent & { currentTarget: Element }) => {
      if (event.key !== "ArrowDown") return;
      event.preventDefault();
      open(event.currentTarget);
    },
  } as const;
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

/** A function that opens the menu at a row. An unselected row is selected first, alone. */
export function useOpenRowMenu(): OpenRowMenu {
  const { listing: { selection, cursor } } = useFiles();
  const menu = useActionMenu();
  return (index, point, row) => {
    const transientSelection = row != null && !selection.now.peek().has(index);
    if (index < 0) selection.clear();
    else {
      if (!selection.now.peek().has(index)) selection.only(index);
      cursor.put(index);
    }
    const of = index < 0 ? "folder" : "selection";
    menu.value = { of, transientSelection, row: row ?? undefined, ...point };
  };
}

/**
 * Opens the menu of actions on right click, on the menu keys, and on the button of each row on
 * touch devices; on empty space the menu is the folder's.
 */
export function useRowMenu(): RowMenu {
  const open = useOpenRowMenu();
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
