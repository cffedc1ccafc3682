import {
  ArrowLeft,
  EllipsisVertical,
  ExternalLink,
  Film,
  type IconNode,
  Maximize,
  Minimize,
  Play,
  RotateCcw,
  RotateCw,
} from "lucide";
import { useTranslation } from "react-i18next";
import { Button, IconButton } from "../../../../components/Button.tsx";
import { COMMAND_GLYPHS } from "../../base/files/glyphs.ts";
import type { Entry } from "../../../shared/schemas/entry.ts";
import { formatBytes } from "../../base/core/format.ts";
import { useFiles } from "../../base/files/use_files.ts";
import { parsePath } from "../../../shared/path.ts";
import { useRootAccess } from "../../base/core/root_access.ts";
import { useApi, useMay } from "../../base/core/use_site.ts";
import { displayName } from "../../../shared/entry_names.ts";
import { type FullScreen, useMediaNow } from "./use_screen.ts";
import { Menu, MenuItem } from "../../../../components/Menu.tsx";
import type { ImageViewport } from "./picture/image_viewport.ts";
import { inlineAddress } from "./preview_source.ts";
import type { Slideshow } from "./Slideshow.tsx";

/** The commands of a file, in the order of the head. */
const COMMANDS = ["share", "moveTo", "copyTo", "rename", "info", "download", "delete"] as const;

/** The actions with a button on phones; the others are in the menu. */
const FIRST: readonly string[] = ["share", "download"];

/** A command on the open file, with its word. */
interface ViewerCommand {
  name: typeof COMMANDS[number];
  word: string;
  run: () => void;
}

interface ViewerHeadProps {
  entry: Entry;
  /** The place among what can be shown beside it, from 0; null while it is not known. */
  place: { at: number; of: number } | null;
  tools: ViewerTools;
  onClose: () => void;
  onDelete: () => void;
}

/** The line above a file: the way back, its name, and its actions. */
export function ViewerHead({ entry, place, tools, onClose, onDelete }: ViewerHeadProps) {
  const { t, i18n: { language } } = useTranslation();
  const commands = useViewerCommands(entry, onDelete);
  const hasWords = useMediaNow("(width > 75em)");
  const isNarrow = useMediaNow("(width <= 46em)");
  const isThere = entry.type !== "invalid_link";
  const facts = [
    place && t("share.place", { place: place.at + 1, total: place.of }),
    isThere && formatBytes(entry.size, language),
  ];
  const hasButton = ({ name }: ViewerCommand) => !isNarrow || FIRST.includes(name);
  return (
    <header className="viewer__head">
      <IconButton label={t("preview.close")} glyph={ArrowLeft} mirror onClick={onClose} />
      <div className="viewer__about">
        <h1 className="viewer__name" title={displayName(entry.name)} dir="auto">
          {displayName(entry.name)}
        </h1>
        <p className="viewer__size">{facts.filter(Boolean).join(" · ")}</p>
      </div>
      <div className="viewer__acts">
        {commands.filter(hasButton).map(({ name, word, run }) =>
          hasWords
            ? (
              <Button key={name} variant="quiet" glyph={COMMAND_GLYPHS[name]} onClick={run}>
                {word}
              </Button>
            )
            : <IconButton key={name} label={word} glyph={COMMAND_GLYPHS[name]} onClick={run} />
        )}
        <ViewerMenu
          entry={entry}
          tools={tools}
          commands={commands.filter((command) => !hasButton(command))}
        />
      </div>
    </header>
  );
}

/** The actions that the user may take on the open file. */
function useViewerCommands(entry: Entry, onDelete: () => void): ViewerCommand[] {
  const { t } = useTranslation();
  const { actions } = useFiles();
  const may = useMay();
  const canChange = useRootAccess().canChange(parsePath(entry.path).path);
  const mayRead = may("download") && entry.type !== "invalid_link";
  const offers: Record<ViewerCommand["name"], [isOffered: boolean, run: () => unknown]> = {
    share: [mayRead && may("share"), () => actions.share()],
    moveTo: [canChange && may("rename"), () => actions.move()],
    copyTo: [may("create"), () => actions.copy()],
    rename: [canChange && may("rename"), () => actions.rename()],
    info: [true, () => actions.toggleInfo()],
    download: [mayRead, () => actions.downloadSelection()],
    delete: [canChange && may("delete"), onDelete],
  };
  return COMMANDS.filter((name) => offers[name][0]).map((name) => ({
    name,
    word: name === "moveTo"
      ? t("buttons.move")
      : name === "copyTo"
      ? t("buttons.copy")
      : t(`commands.${name}`),
    run: () => void offers[name][1](),
  }));
}

/** The ways to look at a file. */
export interface ViewerTools {
  /** The viewport of a picture; null for other files. */
  viewport: ImageViewport | null;
  /** Null where there is nothing to show one after the other. */
  show: Slideshow | null;
  fullScreen: FullScreen;
  /** Null where there is no filmstrip. */
  strip: { isShown: boolean; toggle: () => void } | null;
}

interface ViewerMenuProps {
  entry: Entry;
  tools: ViewerTools;
  /** The commands that have no button, as the head is too narrow. */
  commands: readonly ViewerCommand[];
}

const ID = "viewer-menu";

/** The button and the menu with everything that has no place in the head. */
function ViewerMenu({ entry, tools, commands }: ViewerMenuProps) {
  const { t } = useTranslation();
  const api = useApi();
  const mayRead = useMay()("download") && entry.type !== "invalid_link";
  const { viewport, show, fullScreen, strip } = tools;
  const open = () => {
    globalThis.open(inlineAddress(api, parsePath(entry.path).path), "_blank", "noopener");
  };
  const items: [string, IconNode, () => void, unknown][] = [
    [t("preview.rotateLeft"), RotateCcw, () => viewport?.turn(-1), viewport],
    [t("preview.rotateRight"), RotateCw, () => viewport?.turn(1), viewport],
    [t("preview.slideshow"), Play, () => show?.play(), show],
    fullScreen.isOn
      ? [t("preview.smallScreen"), Minimize, fullScreen.leave, true]
      : [t("preview.fullScreen"), Maximize, fullScreen.enter, fullScreen.isOffered],
    [
      t(strip?.isShown ? "preview.hideStrip" : "preview.showStrip"),
      Film,
      () => strip?.toggle(),
      strip,
    ],
    [t("preview.open"), ExternalLink, open, mayRead],
  ];
  const offered = items.filter(([, , , isOffered]) => isOffered);
  const [last] = commands.slice(-1);
  const [others, danger] = last?.name === "delete"
    ? [commands.slice(0, -1), last]
    : [commands, null];
  if (offered.length + commands.length === 0) return null;
  return (
    <>
      <IconButton
        label={t("buttons.more")}
        glyph={EllipsisVertical}
        popovertarget={ID}
        aria-haspopup="menu"
      />
      <Menu id={ID} label={t("buttons.more")}>
        {others.map(({ name, word, run }) => (
          <MenuItem key={name} glyph={COMMAND_GLYPHS[name]} onClick={run}>{word}</MenuItem>
        ))}
        {others.length > 0 && offered.length > 0 && <hr className="menu__rule" />}
        {offered.map(([word, glyph, run]) => (
          <MenuItem key={word} glyph={glyph} onClick={run}>{word}</MenuItem>
        ))}
        {danger && (
          <>
            <hr className="menu__rule" />
            <MenuItem glyph={COMMAND_GLYPHS.delete} danger onClick={danger.run}>
              {danger.word}
            </MenuItem>
          </>
        )}
      </Menu>
    </>
  );
}
