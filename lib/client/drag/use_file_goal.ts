import { useEffect, useState } from "react";
import type { EntryPath } from "../../shared/path.ts";
import { AREA, goalAt, GoalMark, REST_MS } from "./drag_goal.ts";
import { placeOf } from "../navigation/navigation.ts";
import { usePage } from "../core/page.ts";
import { Spring } from "./spring.ts";
import { useFiles } from "../navigation/use_files.ts";

/** Tells where files go that are dropped on an element; null for nowhere. */
export type Aim = (target: EventTarget | null) => EntryPath | null;

interface FileGoalOptions {
  /** Set to what tells where a drop goes, as long as files are followed. */
  aim: { current: Aim | null };
  /** The folder that is open; null where nothing can be put. */
  here: EntryPath | null;
  /** Called when nothing hovers any more, though nobody saw it go. */
  onGone: () => void;
}

/**
 * Follows files of this computer while they are dragged over the page. What they would go into is
 * marked, and a folder that they rest on opens.
 *
 * @returns the folder that a drop would go into now; null for nowhere
 */
export function useFileGoal({ aim, here, onGone }: FileGoalOptions): EntryPath | null {
  const { listing, navigation } = useFiles();
  const { config } = usePage().data;
  const [below, setBelow] = useState<EntryPath | null>(null);
  useEffect(() => {
    const stopping = new AbortController();
    const { signal } = stopping;
    const folderAt = (href: string) => {
      const place = placeOf(href, config.BaseURL);
      return place?.folder ? place.path : null;
    };
    const goalOf = (target: EventTarget | null) => goalAt(target, { listing, folderAt });
    const mark = new GoalMark();
    const spring = new Spring<EntryPath>((folder) => {
      // With files in the hand nobody answers a question.
      if (navigation.guard.isFree) navigation.go(folder);
    }, REST_MS);
    aim.current = (target) => goalOf(target)?.folder ?? here;
    document.addEventListener("dragover", ({ target }) => {
      const goal = goalOf(target);
      mark.put(goal?.element ?? (here === null ? null : document.querySelector(AREA)));
      spring.over(goal && goal.folder !== listing.path.peek() ? goal.folder : null);
      setBelow(goal?.folder ?? null);
    }, { signal });
    // None comes while something is dragged.
    document.addEventListener("pointermove", onGone, { signal });
    return () => {
      stopping.abort();
      aim.current = null;
      mark.put(null);
      spring.over(null);
      setBelow(null);
    };
  }, [listing, navigation, here]);
  return below ?? here;
}
