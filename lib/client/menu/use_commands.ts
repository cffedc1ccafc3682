import { parsePath } from "../../shared/path.ts";
import { useFiles } from "../navigation/use_files.ts";
import { useMay } from "../core/page.ts";

/** What can be done with a folder and with what is selected in it, by name. */
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

/** What can be done now. What the user may not do, or the selection does not call for, is missing. */
export type Commands = Partial<Record<CommandName, () => void>>;

/** What the user can do with the folder on screen and with what is selected in it. */
export function useCommands(): Commands {
  const { listing, clipboard, navigation, actions } = useFiles();
  const { selection, rows } = listing;
  const { size } = selection.now.value;
  const clip = clipboard.now.value;
  const may = useMay();

  const offers: [CommandName, unknown, () => unknown][] = [
    ["open", size === 1, open],
    ["download", may("download"), () => actions.downloadSelection()],
    ["share", size === 1 && may("share") && may("download"), () => actions.share()],
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
    const [name] = selection.parts().names;
    const entry = name === undefined ? undefined : rows.peek().at(rows.peek().indexOf(name));
    if (entry) navigation.go(parsePath(entry.path).path, { folder: entry.isDir });
  }
}
