import { computed, effect } from "@preact/signals";
import type { Text } from "@codemirror/state";
import { useEffect, useMemo } from "react";
import { useTranslation } from "react-i18next";
import { parsePath } from "../../../shared/path.ts";
import type { Resource } from "../../../shared/schemas/entry.ts";
import { useApi, usePrompts, useToasts } from "../../base/core/use_site.ts";
import { useFiles } from "../../base/files/use_files.ts";
import { warnBeforeLeaving } from "../../base/navigation/leave_guard.ts";
import { useFileNews } from "../../files_page/live/use_file_news.ts";
import { askAboutUnsaved, saveUnderName, TextFile } from "./text_file.ts";

/** Prefix of the title of a page with unsaved changes. */
const DOT = "\u2022 ";

/** The open text of a file. Unsaved changes bring up a prompt before the file is left. */
export function useTextFile(entry: Resource): TextFile {
  const { t } = useTranslation();
  const { navigation, listing } = useFiles();
  const api = useApi();
  const prompts = usePrompts();
  const toasts = useToasts();
  const { path } = parsePath(entry.path);
  const file = useMemo(() => {
    const onSaved = () => toasts.success(t("toasts.saved"));
    const made = new TextFile({ api, path, onSaved });
    // At once, so that nothing else is shown before it.
    if (entry.content !== undefined) void made.offer(entry);
    return made;
  }, [path]);

  useEffect(() => void file.offer(entry), [file, entry]);
  useFileNews(path, (version) => file.follow(version), (why) => {
    if (file.room.peek()) file.noteMoved();
    else if (file.holds) file.fail(why);
    else void listing.reload();
  });
  useEffect(() => {
    return navigation.guard.hold({
      holds: () => file.holds,
      // The room says whether the file is gone, or goes on elsewhere.
      keeps: () => file.room.peek() !== null,
      ask: () => askAboutUnsaved(file, prompts),
    });
  }, [file]);
  useEffect(() => {
    // In a room each key is on its way for a moment: no sign in the title flickers for that.
    const isMarked = computed(() => {
      const room = file.room.value;
      return room ? room.state.value === "failed" : file.saveState.value !== "saved";
    });
    const isWarning = computed(() => file.saveState.value !== "saved");
    const stops = [
      effect(() => isMarked.value ? mark() : undefined),
      effect(() => isWarning.value ? warn() : undefined),
    ];
    return () => stops.forEach((stop) => stop());
  }, [file]);
  return file;
}

/** Makes the browser warn before the page is left; returns a function that stops it. */
function warn(): () => void {
  addEventListener("beforeunload", warnBeforeLeaving);
  return () => removeEventListener("beforeunload", warnBeforeLeaving);
}

/** Marks the title of the page; returns a function that removes the mark. */
function mark(): () => void {
  document.title = DOT + document.title;
  return () => {
    if (document.title.startsWith(DOT)) document.title = document.title.slice(DOT.length);
  };
}

/** Saves a text under a name from a prompt, and opens the file that it is in then. */
export function useSaveAs(file: TextFile): (mine?: Text) => Promise<void> {
  const { navigation } = useFiles();
  const prompts = usePrompts();
  return async (mine = file.draft ?? undefined) => {
    if (mine === undefined) return;
    const path = await saveUnderName(file, prompts, mine);
    if (path !== null) navigation.go(path, { folder: false });
  };
}
