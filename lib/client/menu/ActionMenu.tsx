import {
  ClipboardPaste,
  CopyPlus,
  FilePlus,
  FolderOpen,
  type IconNode,
  Keyboard,
  ListChecks,
  Scissors,
  SquareCheck,
  SquareTerminal,
} from "lucide";
import { Fragment, useRef } from "react";
import { endSelectionOnBack } from "../core/close_request.ts";
import {
  type CommandName,
  type MenuRequest,
  useActionMenu,
  useCommands,
} from "./use_action_menu.ts";
import { useFiles, useLeftPlace } from "../navigation/use_files.ts";
import { useShellPanel } from "../core/use_panels.ts";
import { useTranslation } from "../core/use_translation.ts";
import { COMMAND_GLYPHS, VIEW_GLYPHS } from "./glyphs.ts";
import { Menu, MenuItem } from "../../../components/Menu.tsx";

const GLYPHS: Record<CommandName, IconNode> = {
  ...COMMAND_GLYPHS,
  open: FolderOpen,
  cut: Scissors,
  copy: CopyPlus,
  paste: ClipboardPaste,
  newFile: FilePlus,
  selectAll: ListChecks,
};

/** The items of each menu, in groups. */
const GROUPS: Record<MenuRequest["of"], CommandName[][]> = {
  selection: [
    ["open", "download", "share"],
    ["cut", "copy", "paste"],
    ["rename", "moveTo", "copyTo"],
    ["info"],
    ["delete"],
  ],
  folder: [["newFolder", "newFile"], ["paste", "download"], ["info", "selectAll"]],
};

interface ActionMenuProps {
  request: MenuRequest;
  onClose: () => void;
}

/** The menu of actions for the selection, or for the open folder. */
export function ActionMenu({ request, onClose }: ActionMenuProps) {
  const { t } = useTranslation();
  const { listing: { selection }, view, actions } = useFiles();
  const commands = useCommands();
  const shell = useShellPanel();
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
  useLeftPlace(onClose);
  const groups = GROUPS[request.of]
    .map((names) => names.filter((name) => commands[name]))
    .filter((names) => names.length > 0);
  return (
    <Menu id="action-menu" label={t("buttons.more")} at={request} onClose={close}>
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
        </Fragment>
      ))}
      {request.of === "folder" && (
        <>
          <MenuItem glyph={SquareCheck} onClick={select}>
            {t("files.select")}
          </MenuItem>
          <hr className="menu__rule" />
          <MenuItem glyph={VIEW_GLYPHS[view.next]} onClick={() => view.choose(view.next)}>
            {t(`view.${view.next}`)}
          </MenuItem>
          {shell.allowed && (
            <MenuItem
              glyph={SquareTerminal}
              onClick={() => shell.open.value = !shell.open.peek()}
            >
              {t("shell.label")}
            </MenuItem>
          )}
          <MenuItem glyph={Keyboard} onClick={() => void actions.help()}>
            {t("buttons.help")}
          </MenuItem>
        </>
      )}
    </Menu>
  );
}
