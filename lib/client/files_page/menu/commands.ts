import {
  ClipboardPaste,
  CopyPlus,
  FileArchive,
  FileDown,
  FilePen,
  FilePlus,
  FileSpreadsheet,
  FileText,
  FolderOpen,
  FolderUp,
  type IconNode,
  ListChecks,
  ListFilter,
  PackageOpen,
  Presentation,
  Printer,
  Scissors,
  Star,
  StarOff,
  Upload,
} from "lucide";
import { useTranslation } from "react-i18next";
import { isArchiveName } from "../../../shared/file_kinds.ts";
import type { Entry } from "../../../shared/schemas/entry.ts";
import { usePage } from "../../base/core/page.ts";
import { useRootAccess } from "../../base/core/root_access.ts";
import { useMay, useMaySave } from "../../base/core/use_site.ts";
import { printPage } from "../../base/core/print_sheet.ts";
import { useOfficeLink } from "../../base/files/office_link.ts";
import { COMMAND_GLYPHS } from "../../base/files/glyphs.ts";
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
  | "edit"
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
  | "newDocument"
  | "newSheet"
  | "newSlides"
  | "uploadFiles"
  | "uploadFolder"
  | "requestFiles"
  | "print"
  | "selectAll"
  | "filter";

/** The icon of each command. */
export const GLYPHS: Record<CommandName, IconNode> = {
  ...COMMAND_GLYPHS,
  open: FolderOpen,
  edit: FilePen,
  renameMany: COMMAND_GLYPHS.rename,
  cut: Scissors,
  copy: CopyPlus,
  paste: ClipboardPaste,
  newFile: FilePlus,
  newDocument: FileText,
  newSheet: FileSpreadsheet,
  newSlides: Presentation,
  uploadFiles: Upload,
  uploadFolder: FolderUp,
  requestFilesIn: COMMAND_GLYPHS.requestFiles,
  compress: FileArchive,
  downloadAs: FileDown,
  extract: PackageOpen,
  print: Printer,
  selectAll: ListChecks,
  filter: ListFilter,
  star: Star,
  unstar: StarOff,
};

/** The key of a command's word. */
export function wordOf(name: CommandName) {
  return name === "requestFilesIn" ? "requestFiles" : name;
}

/** The words of the commands on buttons, which are shorter than those in menus. */
export function useCommandWords(): Readonly<Record<CommandName, string>> {
  const { t } = useTranslation();
  const names = Object.keys(GLYPHS) as CommandName[];
  const words = Object.fromEntries(names.map((name) => [name, t(`commands.${wordOf(name)}`)]));
  return {
    ...words as Record<CommandName, string>,
    moveTo: t("buttons.move"),
    copyTo: t("buttons.copy"),
  };
}

/** The available commands; those without permission or a suitable selection are missing. */
export type Commands = Partial<Record<CommandName, () => void>>;

/** The commands that need an open folder, rather than a list of entries of many. */
const OF_FOLDERS = /^(cut|copy|paste|compress|renameMany|filter)$|^(new|upload)/;

/**
 * The commands that are available for the open folder and its selection.
 *
 * @param file the open file, which is then the selection
 */
export function useCommands(file?: Entry): Commands {
  const { listing, clipboard, navigation, actions, favorites } = useFiles();
  const { selection, rows } = listing;
  const size = file ? 1 : selection.now.value.size;
  const [name] = size === 1 ? selection.snapshot().names : [];
  const only = file ??
    (name === undefined ? undefined : rows.value.at(rows.value.indexOf(name)));
  const cannotOpen = only?.type === "invalid_link";
  const clip = clipboard.now.value;
  const { closed, here } = useFileActions();
  const rootAccess = useRootAccess();
  const mayEver = useMay();
  const isFixed = closed || file && !rootAccess.canChange(parsePath(file.path).path);
  const may = (permission: keyof Permissions) =>
    mayEver(permission) && !(isFixed && isChange(permission));
  const maySave = useMaySave() && !cannotOpen;
  const mayArchive = may("download") && may("create");
  const officeLink = useOfficeLink();
  const office = only ? officeLink(only) : null;
  const isArchive = only?.isDir === false && isArchiveName(only.name);

  const mayRequest = mayEver("share") && mayEver("create");
  const takesFiles = only?.isDir === true && rootAccess.canAddTo(parsePath(only.path).path);
  const { share, config } = usePage().data;
  const makesDocuments = config.EnableOffice && may("create") && mayEver("download");
  const isStarred = favorites.value.some(({ path }) => path === only?.path);

  const offers: [CommandName, unknown, () => unknown][] = [
    ["open", size === 1 && !cannotOpen, open],
    ["edit", office?.right === "edit", () => location.assign(office?.href ?? "")],
    ["download", maySave, () => actions.downloadSelection()],
    [
      "downloadAs",
      maySave && only?.isDir !== false,
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
    [isStarred ? "unstar" : "star", size > 0 && !cannotOpen && !share, () => actions.star()],
    ["info", true, () => actions.info()],
    ["delete", size > 0 && may("delete"), () => actions.deleteSelection()],
    ["compress", size > 0 && mayArchive && !cannotOpen, () => actions.compress()],
    ["extract", isArchive && mayArchive, () => actions.extract()],
    ["newFolder", may("create"), () => actions.newFolder()],
    ["newFile", may("create"), () => actions.newFile()],
    ["newDocument", makesDocuments, () => actions.newDocument("document")],
    ["newSheet", makesDocuments, () => actions.newDocument("sheet")],
    ["newSlides", makesDocuments, () => actions.newDocument("slides")],
    ["uploadFiles", may("create"), () => chooseFiles()],
    ["uploadFolder", may("create"), () => chooseFiles("folder")],
    ["requestFiles", here && !closed && mayRequest, () => actions.requestFiles()],
    ["print", rows.value.total > 0 && !share?.viewOnly, () => printPage()],
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
