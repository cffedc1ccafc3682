import {
  ClipboardPaste,
  CopyPlus,
  FileArchive,
  FilePlus,
  FolderOpen,
  type IconNode,
  Keyboard,
  ListChecks,
  ListFilter,
  PackageOpen,
  Scissors,
  SlidersHorizontal,
  SquareCheck,
  SquareTerminal,
  Star,
  StarOff,
} from "lucide";
import { Fragment, useRef } from "react";
import { useTranslation } from "react-i18next";
import { endSelectionOnBack } from "../../base/core/close_request.ts";
import { type CommandName, useCommands } from "./commands.ts";
import { type MenuRequest, useActionMenu } from "./use_action_menu.ts";
import {
  useFileActions,
  useFiles,
  useLeftPlace,
  usePlaceName,
} from "../../base/files/use_files.ts";
import { displayName } from "../../../shared/entry_names.ts";
import { useShellPanel, useViewMenu } from "../../base/core/use_panels.ts";
import { COMMAND_GLYPHS } from "../../base/files/glyphs.ts";
import { MusicItems } from "./MusicItems.tsx";
import { Menu, MenuItem } from "../../../../components/Menu.tsx";

const GLYPHS: Record<CommandName, IconNode> = {
  ...COMMAND_GLYPHS,
  open: FolderOpen,
  cut: Scissors,
  copy: CopyPlus,
  paste: ClipboardPaste,
  newFile: FilePlus,
  compress: FileArchive,
  extract: PackageOpen,
  selectAll: ListChecks,
  filter: ListFilter,
  star: Star,
  unstar: StarOff,
};

/** The items of each menu, in groups. */
const GROUPS: Record<MenuRequest["of"], CommandName[][]> = {
  selection: [
    ["open", "download", "share"],
    ["rename", "moveTo", "copyTo"],
    ["extract", "compress"],
    ["star", "unstar", "info"],
    ["delete"],
  ],
  folder: [["newFolder", "newFile"], ["paste", "download"], ["info", "selectAll", "filter"]],
};

interface ActionMenuProps {
  request: MenuRequest;
  onClose: () => void;
}

/** The menu of actions for the selection, or for the open folder. */
export function ActionMenu({ request, onClose }: ActionMenuProps) {
  const { t } = useTranslation();
  const { listing: { selection }, actions } = useFiles();
  const commands = useCommands();
  const shell = useShellPanel();
  const { shell: mayType } = useFileActions();
  const menu = useActionMenu();
  const chosen = useRef(false);
  const close = () => {
    const isLast = menu.peek() === request;
    if (isLast && request.transientSelection && !chosen.current) selection.clear();
    onClose();
  };
  const select = () => {
    endSelectionOnBack(selection);
    selection.multiple.value = true;
  };
  const viewMenu = useViewMenu();
  useLeftPlace(onClose);
  const place = usePlaceName();
  const { names: [name], size } = { ...selection.snapshot(), size: selection.now.value.size };
  const title = request.of === "folder"
    ? place
    : size === 1 && name !== undefined
    ? displayName(name)
    : t("files.selected", { count: size });
  // The menu of the folder is about the folder, whatever is selected.
  if (request.of === "folder" && commands.download) {
    commands.download = () => void actions.downloadFolder();
  }
  const groups = GROUPS[request.of]
    .map((names) => names.filter((name) => commands[name]))
    .filter((names) => names.length > 0);
  return (
    <Menu id="action-menu" label={t("buttons.more")} title={title} at={request} onClose={close}>
      {groups.map((names, index) => (
        <Fragment key={names[0]}>
          {index > 0 && <hr className="menu__rule" />}
          {names.map((name) => (
            <MenuItem
              key={name}
              glyph={GLYPHS[name]}
              danger={name === "delete"}
              onClick={() => {
                chosen.current = true;
                commands[name]?.();
              }}
            >
              {t(`commands.${name}`)}
            </MenuItem>
          ))}
          {index === 0 && request.of === "selection" && <MusicItems />}
        </Fragment>
      ))}
      {request.of === "folder" && (
        <>
          <MenuItem glyph={SquareCheck} onClick={select}>
            {t("files.select")}
          </MenuItem>
          <hr className="menu__rule" />
          <MenuItem
            glyph={SlidersHorizontal}
            onClick={() => viewMenu.value = { x: request.x, y: request.y }}
          >
            {t("views.title")}
          </MenuItem>
          {mayType && (
            <MenuItem
              glyph={SquareTerminal}
              onClick={() => shell.open.value = !shell.open.peek()}
            >
              {t("shell.label")}
            </MenuItem>
          )}
          <MenuItem
            glyph={Keyboard}
            onClick={() =>
              void actions.help()}
          >
            {t("prompts.helpTitle")}
          </MenuItem>
        </>
      )}
    </Menu>
  );
}
