import { type Signal, signal } from "@preact/signals";
import { useShared } from "../../base/core/page.ts";
import { useFiles } from "../../base/files/use_files.ts";
import { below, type MenuRequest, type OpenRowMenu, type RowMenu, rowMenu } from "./row_menu.ts";

/** The menu of actions: set to open it, null while it is closed. */
export function useActionMenu(): Signal<MenuRequest | null> {
  return useShared("action-menu", () => signal<MenuRequest | null>(null));
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

/** The handlers that open the menu of actions in the list of a folder. */
export function useRowMenu(): RowMenu {
  return rowMenu(useOpenRowMenu());
}
