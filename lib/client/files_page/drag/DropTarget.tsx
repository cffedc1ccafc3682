import { CloudUpload } from "lucide";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { type EntryPath, nameOf } from "../../../shared/path.ts";
import { Icon } from "../../../../components/Icon.tsx";
import {
  AREA,
  dropFolderAt,
  DropHighlight,
  HoverOpen,
  REST_MS,
  springOpen,
} from "./drag_target.ts";
import { placeOf } from "../../base/navigation/navigation.ts";
import { usePage } from "../../base/core/page.ts";
import { useRootAccess } from "../../base/core/root_access.ts";
import { useFiles } from "../../base/files/use_files.ts";

interface DropTargetProps {
  /** Set to the function that resolves where a drop goes. */
  aim: { current: Aim | null };
  /** The open folder; null if it takes no files. */
  here: EntryPath | null;
  /** Called when the drag has ended without a `dragleave`. */
  onGone: () => void;
}

/** The overlay that shows where dragged files would be uploaded to. */
export function DropTarget({ aim, here, onGone }: DropTargetProps) {
  const { t } = useTranslation();
  const folder = useFileGoal({ aim, here, onGone });
  if (folder === null) return null;
  return (
    <div className="drop">
      <Icon glyph={CloudUpload} />
      <p className="drop__title">{t("drop.title")}</p>
      <p className="drop__text">
        {t("drop.text", { name: nameOf(folder) || t("files.myFiles") })}
      </p>
    </div>
  );
}

/** Resolves the folder that takes files dropped on an element; null for none. */
export type Aim = (target: EventTarget | null) => EntryPath | null;

interface FileGoalOptions {
  /** Set to the function that resolves where a drop goes, during a drag of files. */
  aim: { current: Aim | null };
  /** The open folder; null if it takes no files. */
  here: EntryPath | null;
  /** Called when the drag has ended without a `dragleave`. */
  onGone: () => void;
}

/**
 * Tracks local files that are dragged over the page. Their target is marked, and a folder that they
 * hover over opens.
 *
 * @returns the folder that a drop would go into now, or null
 */
function useFileGoal({ aim, here, onGone }: FileGoalOptions): EntryPath | null {
  const { listing, navigation } = useFiles();
  const { config } = usePage().data;
  const rootAccess = useRootAccess();
  const [taken, setTaken] = useState<EntryPath | null>(here);
  useEffect(() => {
    const stopping = new AbortController();
    const { signal } = stopping;
    const folderAt = (href: string) => {
      const place = placeOf(href, config.BaseURL);
      return place?.folder ? place.path : null;
    };
    const goalOf = (target: EventTarget | null) => dropFolderAt(target, { listing, folderAt });
    const takenAt = (target: EventTarget | null) => {
      const goal = goalOf(target);
      return goal === null ? here : rootAccess.canAddTo(goal.folder) ? goal.folder : null;
    };
    const mark = new DropHighlight();
    let over: Element | null = null;
    const hoverOpen = new HoverOpen<EntryPath>((folder) => {
      if (springOpen(over)) return;
      // Do not open a prompt during a drag.
      if (navigation.guard.isFree) navigation.go(folder);
    }, REST_MS);
    aim.current = takenAt;
    document.addEventListener("dragover", ({ target }) => {
      const goal = goalOf(target);
      over = goal?.element ?? null;
      const folder = takenAt(target);
      mark.put(folder === null ? null : goal?.element ?? document.querySelector(AREA));
      hoverOpen.hover(goal && goal.folder !== listing.path.peek() ? goal.folder : null);
      setTaken(folder);
    }, { signal });
    // The browser sends no pointer events during a drag: one means that the drag has ended.
    document.addEventListener("pointermove", onGone, { signal });
    return () => {
      stopping.abort();
      aim.current = null;
      mark.put(null);
      hoverOpen.hover(null);
      setTaken(here);
    };
  }, [listing, navigation, here]);
  return taken;
}
