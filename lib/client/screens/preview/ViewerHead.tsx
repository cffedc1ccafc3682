import { ArrowLeft } from "lucide";
import { useTranslation } from "react-i18next";
import { Button, IconButton } from "../../../../components/Button.tsx";
import { COMMAND_GLYPHS } from "../../base/files/glyphs.ts";
import type { Entry } from "../../../shared/api_types.ts";
import { formatBytes } from "../../base/core/format.ts";
import { useFiles } from "../../base/files/use_files.ts";
import { parsePath } from "../../../shared/path.ts";
import { useRootAccess } from "../../base/core/root_access.ts";
import { useMay } from "../../base/core/use_site.ts";
import { displayName } from "../../../shared/entry_names.ts";
import { useMediaNow } from "./use_screen.ts";
import { ViewerMenu, type ViewerTools } from "./ViewerMenu.tsx";

/** The commands of a file, in the order of the head. */
const COMMANDS = ["share", "moveTo", "copyTo", "rename", "info", "download", "delete"] as const;

/** The actions with a button on phones; the others are in the menu. */
const FIRST: readonly string[] = ["share", "download"];

/** A command on the open file, with its word. */
export interface ViewerCommand {
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
