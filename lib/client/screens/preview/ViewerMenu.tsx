import {
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
import type { Entry } from "../../../shared/api_types.ts";
import { parsePath } from "../../../shared/path.ts";
import { useApi, useMay } from "../../base/core/use_site.ts";
import { COMMAND_GLYPHS } from "../../base/files/glyphs.ts";
import { IconButton } from "../../../../components/Button.tsx";
import { Menu, MenuItem } from "../../../../components/Menu.tsx";
import type { ImageViewport } from "./picture/image_viewport.ts";
import { inlineAddress } from "./preview_source.ts";
import type { Slideshow } from "./slideshow.ts";
import type { FullScreen } from "./use_screen.ts";
import type { ViewerCommand } from "./ViewerHead.tsx";

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
export function ViewerMenu({ entry, tools, commands }: ViewerMenuProps) {
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
