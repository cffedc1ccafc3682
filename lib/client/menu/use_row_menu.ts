import { indexOf } from "../listing/row_index.ts";
import { below, useActionMenu } from "./use_action_menu.ts";
import { useFiles } from "../navigation/use_files.ts";

/** The handlers of the element that scrolls the rows. */
export interface RowMenu {
  onContextMenu: (event: MouseEvent) => void;
  onKeyDown: (event: KeyboardEvent) => void;
  onClick: (event: MouseEvent) => void;
}

/**
 * Opens the menu of actions on a right click, on the keys that stand for one, and on the button that
 * each row has on phones and tablets. A row that is not selected is selected first, alone; beside the
 * rows the menu is the folder's.
 */
export function useRowMenu(): RowMenu {
  const { listing: { selection, cursor } } = useFiles();
  const menu = useActionMenu();

  const open = (index: number, point: { x: number; y: number }, byButton = false) => {
    const fleeting = byButton && !selection.now.peek().has(index);
    if (index < 0) selection.clear();
    else {
      if (!selection.now.peek().has(index)) selection.only(index);
      cursor.put(index);
    }
    menu.value = { of: index < 0 ? "folder" : "selection", fleeting, ...point };
  };

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
      if (button) open(indexOf(button), below(button), true);
    },
  };
}
