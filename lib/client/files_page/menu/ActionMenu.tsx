import { Keyboard, ListPlus, Play, SlidersHorizontal, SquareCheck, SquareTerminal } from "lucide";
import { Fragment, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { endSelectionOnBack } from "../../base/core/close_request.ts";
import { type CommandName, GLYPHS, useCommands, wordOf } from "./commands.ts";
import type { MenuRequest } from "./row_menu.ts";
import { useActionMenu } from "./use_action_menu.ts";
import {
  useFileActions,
  useFiles,
  useLeftPlace,
  usePlaceName,
} from "../../base/files/use_files.ts";
import { displayName } from "../../../shared/entry_names.ts";
import {
  type MusicRequest,
  useMusicRequests,
  useShellPanel,
  useViewMenu,
} from "../../base/core/use_panels.ts";
import { Menu, MenuItem } from "../../../../components/Menu.tsx";
import type { Entry } from "../../../shared/schemas/entry.ts";
import { parsePath } from "../../../shared/path.ts";
import type { Api } from "../../base/api/api.ts";
import { useApi, useMay } from "../../base/core/use_site.ts";

/** The items of each menu, in groups. */
const GROUPS: Record<MenuRequest["of"], CommandName[][]> = {
  selection: [
    ["open", "edit", "download", "downloadAs", "share", "requestFilesIn"],
    ["rename", "renameMany", "moveTo", "copyTo"],
    ["extract", "compress"],
    ["star", "unstar", "info"],
    ["delete"],
  ],
  folder: [
    ["newFolder", "newFile", "requestFiles"],
    ["newDocument", "newSheet", "newSlides"],
    ["paste", "download", "downloadAs"],
    ["info", "print", "selectAll", "filter"],
  ],
  new: [
    ["newFolder", "newFile"],
    ["newDocument", "newSheet", "newSlides"],
    ["uploadFiles", "uploadFolder"],
    ["requestFiles"],
  ],
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
  const title = request.of === "new"
    ? t("buttons.new")
    : request.of === "folder"
    ? place
    : size === 1 && name !== undefined
    ? displayName(name)
    : t("files.selected", { count: size });
  // The menu of the folder is about the folder, whatever is selected.
  if (request.of === "folder" && commands.download) {
    commands.download = () => void actions.downloadFolder();
    commands.downloadAs = () => void actions.downloadFolder(true);
  }
  const groups = GROUPS[request.of]
    .map((names) => names.filter((name) => commands[name]))
    .filter((names) => names.length > 0);
  return (
    <Menu
      id="action-menu"
      label={request.of === "new" ? title : t("buttons.more")}
      title={title}
      at={request}
      onClose={close}
    >
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
              {t(`commands.${wordOf(name)}`)}
            </MenuItem>
          ))}
          {index === 0 && request.of === "selection" && <MusicItems />}
        </Fragment>
      ))}
      {request.of === "folder" && (
        <>
          <MenuItem glyph={SquareCheck} onClick={select}>
            {t("commands.select")}
          </MenuItem>
          <hr className="menu__rule" />
          <MenuItem
            glyph={SlidersHorizontal}
            onClick={() => viewMenu.value = { x: request.x, y: request.y }}
          >
            {t("views.options")}
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
            onClick={() => void actions.help()}
          >
            {t("prompts.helpTitle")}
          </MenuItem>
        </>
      )}
    </Menu>
  );
}

/** Menu items to play the selection, if it is of sounds and folders alone. */
function MusicItems() {
  const may = useMay();
  const { listing: { selection, rows } } = useFiles();
  const { size } = selection.now.value;
  const entries = rows.value.withNames(new Set(selection.snapshot().names));
  const isMusic = entries.every(({ type, isDir }) => type === "audio" || isDir);
  if (!may("download") || size === 0 || entries.length < size || !isMusic) return null;
  return <PlayItems key={entries.map(({ path }) => path).join("\n")} entries={entries} />;
}

/** Left out until a sound is known to be in the selection: most folders have none. */
function PlayItems({ entries }: { entries: readonly Entry[] }) {
  const { t } = useTranslation();
  const api = useApi();
  const requests = useMusicRequests();
  const [hasMusic, setMusic] = useState(entries.some(({ isDir }) => !isDir));
  useEffect(() => {
    if (hasMusic) return;
    const asking = new AbortController();
    const { signal } = asking;
    void holdMusic(api, entries, signal).then((found) => signal.aborted || setMusic(found));
    return () => asking.abort();
  }, []);
  const ask = (does: MusicRequest["does"]) => () => {
    requests.value = [...requests.peek(), { does, entries }];
  };
  if (!hasMusic) return null;
  return (
    <>
      <MenuItem glyph={Play} onClick={ask("play")}>
        {t("commands.play")}
      </MenuItem>
      <MenuItem glyph={ListPlus} onClick={ask("add")}>
        {t("commands.enqueue")}
      </MenuItem>
    </>
  );
}

/** Whether a sound is in one of some folders; those below them do not count, as when they play. */
async function holdMusic(
  api: Pick<Api, "resource">,
  folders: readonly Entry[],
  signal: AbortSignal,
): Promise<boolean> {
  for (const folder of folders) {
    if (signal.aborted) return false;
    const { path } = parsePath(folder.path);
    const answer = await api.resource(path, { offset: 0, limit: 0, groupBy: "kind", signal });
    // A folder that cannot be read says why when it is played.
    if (!answer.ok || answer.value.groups?.some(({ name }) => name === "audio")) return true;
  }
  return false;
}
