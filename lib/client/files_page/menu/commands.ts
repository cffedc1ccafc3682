import { isArchiveName } from "../../../shared/file_kinds.ts";
import { useMay } from "../../base/core/use_site.ts";
import { useRootAccess } from "../../base/core/root_access.ts";
import { useFileActions, useFiles } from "../../base/files/use_files.ts";
import type { Permissions } from "../../../shared/schemas/rights.ts";
import { parsePath } from "../../../shared/path.ts";
import { chooseFiles } from "../../base/files/page_dom.ts";

/** Whether a permission is one to change what is in a folder. */
function isChange(permission: keyof Permissions): boolean {
  return ["create", "delete", "modify", "rename"].includes(permission);
}

/**
 * The names of the commands for a folder and its selection: files are requested for the open folder,
 * or for the one that is selected.
 */
export type CommandName =
  | "open"
  | "download"
  | "downloadAs"
  | "share"
  | "requestFilesIn"
  | "rename"
  | "renameMany"
  | "moveTo"
  | "copyTo"
  | "cut"
  | "copy"
  | "paste"
  | "star"
  | "unstar"
  | "info"
  | "delete"
  | "compress"
  | "extract"
  | "newFolder"
  | "newFile"
  | "uploadFiles"
  | "uploadFolder"
  | "requestFiles"
  | "selectAll"
  | "filter";

/** The available commands; those without permission or a suitable selection are missing. */
export type Commands = Partial<Record<CommandName, () => void>>;

/** The commands that need an open folder, rather than a list of entries of many. */
const OF_FOLDERS = /^(cut|copy|paste|compress|renameMany|filter)$|^(new|upload)/;

/** The commands that are available for the open folder and its selection. */
export function useCommands(): Commands {
  const { listing, clipboard, navigation, actions, favorites } = useFiles();
  const { selection, rows } = listing;
  const { size } = selection.now.value;
  const [name] = size === 1 ? selection.snapshot().names : [];
  const only = name === undefined ? undefined : rows.value.at(rows.value.indexOf(name));
  const cannotOpen = only?.type === "invalid_link";
  const clip = clipboard.now.value;
  const { closed, here } = useFileActions();
  const rootAccess = useRootAccess();
  const mayEver = useMay();
  const may = (permission: keyof Permissions) =>
    mayEver(permission) && !(closed && isChange(permission));
  const mayArchive = may("download") && may("create");
  const isArchive = only?.isDir === false && isArchiveName(only.name);

  const mayRequest = mayEver("share") && mayEver("create");
  const takesFiles = only?.isDir === true && rootAccess.canAddTo(parsePath(only.path).path);

  const isStarred = favorites.value.some(({ path }) => path === only?.path);

  const offers: [CommandName, unknown, () => unknown][] = [
    ["open", size === 1 && !cannotOpen, open],
    ["download", may("download") && !cannotOpen, () => actions.downloadSelection()],
    [
      "downloadAs",
      may("download") && !cannotOpen && only?.isDir !== false,
      () => actions.downloadSelection(undefined, true),
    ],
    [
      "share",
      size === 1 && !cannotOpen && may("share") && may("download"),
      () => actions.share(),
    ],
    ["requestFilesIn", takesFiles && mayRequest, () => actions.requestFilesIn()],
    ["rename", size === 1 && may("rename"), () => actions.rename()],
    ["renameMany", size > 1 && may("rename"), () => actions.renameMany()],
    ["moveTo", size > 0 && may("rename"), () => actions.move()],
    ["copyTo", size > 0 && mayEver("create"), () => actions.copy()],
    ["cut", size > 0 && may("rename"), () => actions.clip("move")],
    ["copy", size > 0 && mayEver("create"), () => actions.clip("copy")],
    ["paste", clip && may(clip.action === "copy" ? "create" : "rename"), () => actions.paste()],
    [isStarred ? "unstar" : "star", size > 0 && !cannotOpen, () => actions.star()],
    ["info", true, () => actions.info()],
    ["delete", size > 0 && may("delete"), () => actions.deleteSelection()],
    ["compress", size > 0 && mayArchive && !cannotOpen, () => actions.compress()],
    ["extract", isArchive && mayArchive, () => actions.extract()],
    ["newFolder", may("create"), () => actions.newFolder()],
    ["newFile", may("create"), () => actions.newFile()],
    ["uploadFiles", may("create"), () => chooseFiles()],
    ["uploadFolder", may("create"), () => chooseFiles("folder")],
    ["requestFiles", here && !closed && mayRequest, () => actions.requestFiles()],
    ["selectAll", rows.value.total > 0, () => selection.all()],
    ["filter", rows.value.total > 0, () => listing.narrow("")],
  ];
  return Object.fromEntries(
    offers.filter(([name, offered]) => offered && !(listing.isFlat && OF_FOLDERS.test(name))).map((
      [name, , run],
    ) => [name, () => void run()]),
  );

  function open(): void {
    if (only) navigation.go(parsePath(only.path).path, { folder: only.isDir });
  }
}
