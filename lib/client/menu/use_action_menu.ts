import { type Signal, signal } from "@preact/signals";
import { useMay, useShared } from "../core/page.ts";
import { indexOf } from "../listing/page_dom.ts";
import { useFiles } from "../navigation/use_files.ts";
import { parsePath } from "../../shared/path.ts";

/** A request to open the menu of actions. */
export interface MenuRequest {
  /** `selection`: its actions; `folder`: those of the open folder. */
  of: "selection" | "folder";
  /** The point in the window at which it opens, in CSS pixels. */
  x: number;
  y: number;
  /**
   * The entry was selected only for this menu, by the button of a row: the selection is cleared
   * afterwards.
   */
  transientSelection?: boolean;
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

/** The handlers of the element that scrolls the rows. */
export interface RowMenu {
  onContextMenu: (event: MouseEvent) => void;
  onKeyDown: (event: KeyboardEvent) => void;
  onClick: (event: MouseEvent) => void;
}

/**
 * Opens the menu of actions on right click, on the menu keys, and on the button of each row on
 * touch devices. An unselected row is selected first, alone; on empty space the menu is the
 * folder's.
 */
export function useRowMenu(): RowMenu {
  const { listing: { selection, cursor } } = useFiles();
  const menu = useActionMenu();

  const open = (index: number, point: { x: number; y: number }, byButton = false) => {
    const transientSelection = byButton && !selection.now.peek().has(index);
    if (index < 0) selection.clear();
    else {
      if (!selection.now.peek().has(index)) selection.only(index);
      cursor.put(index);
    }
    menu.value = { of: index < 0 ? "folder" : "selection", transientSelection, ...point };
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

/** The names of the commands for a folder and its selection. */
export type CommandName =
  | "open"
  | "download"
  | "share"
  | "rename"
  | "moveTo"
  | "copyTo"
  | "cut"
  | "copy"
  | "paste"
  | "info"
  | "delete"
  | "newFolder"
  | "newFile"
  | "selectAll";

/** The available commands; those without permission or a suitable selection are missing. */
export type Commands = Partial<Record<CommandName, () => void>>;

/** The commands that are available for the open folder and its selection. */
export function useCommands(): Commands {
  const { listing, clipboard, navigation, actions } = useFiles();
  const { selection, rows } = listing;
  const { size } = selection.now.value;
  const [name] = size === 1 ? selection.snapshot().names : [];
  const only = name === undefined ? undefined : rows.value.at(rows.value.indexOf(name));
  const cannotOpen = only?.type === "invalid_link";
  const clip = clipboard.now.value;
  const may = useMay();

  const offers: [CommandName, unknown, () => unknown][] = [
    ["open", size === 1 && !cannotOpen, open],
    ["download", may("download") && !cannotOpen, () => actions.downloadSelection()],
    [
      "share",
      size === 1 && !cannotOpen && may("share") && may("download"),
      () => actions.share(),
    ],
    ["rename", size === 1 && may("rename"), () => actions.rename()],
    ["moveTo", size > 0 && may("rename"), () => actions.move()],
    ["copyTo", size > 0 && may("create"), () => actions.copy()],
    ["cut", size > 0 && may("rename"), () => actions.clip("move")],
    ["copy", size > 0 && may("create"), () => actions.clip("copy")],
    ["paste", clip && may(clip.action === "copy" ? "create" : "rename"), () => actions.paste()],
    ["info", true, () => actions.info()],
    ["delete", size > 0 && may("delete"), () => actions.deleteSelection()],
    ["newFolder", may("create"), () => actions.newFolder()],
    ["newFile", may("create"), () => actions.newFile()],
    ["selectAll", rows.value.total > 0, () => selection.all()],
  ];
  return Object.fromEntries(
    offers.filter(([, offered]) => offered).map(([name, , run]) => [name, () => void run()]),
  );

  function open(): void {
    if (only) navigation.go(parsePath(only.path).path, { folder: only.isDir });
  }
}
