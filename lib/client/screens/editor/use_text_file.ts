import type { Text } from "@codemirror/state";
import { effect } from "@preact/signals";
import { useEffect, useMemo } from "react";
import { useTranslation } from "react-i18next";
import { childOf, type EntryPath, nameOf, parentOf, parsePath } from "../../../shared/path.ts";
import type { Resource } from "../../../shared/api_types.ts";
import { warnBeforeLeaving } from "../../base/navigation/leave_guard.ts";
import { useFiles } from "../../base/files/use_files.ts";
import { useFileNews } from "../../files_page/live/use_file_news.ts";
import { useApi, usePrompts, useToasts } from "../../base/core/use_site.ts";
import { TextFile } from "./text_file.ts";
import type { Prompts } from "../../base/prompts/prompts.ts";

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
    return new TextFile({ api, path, onSaved });
  }, [path]);

  useEffect(() => void file.offer(entry), [file, entry]);
  useFileNews(path, (version) => file.follow(version), (why) => {
    if (file.holds) file.fail(why);
    else void listing.reload();
  });
  useEffect(() => {
    const holder = { holds: () => file.holds, ask: () => askAboutUnsaved(file, prompts) };
    return navigation.guard.hold(holder);
  }, [file]);
  useEffect(() => effect(() => file.saveState.value === "saved" ? undefined : warn()), [file]);
  return file;
}

/** Makes the browser warn before the page is left; returns a function that stops it. */
function warn(): () => void {
  addEventListener("beforeunload", warnBeforeLeaving);
  document.title = DOT + document.title;
  return () => {
    removeEventListener("beforeunload", warnBeforeLeaving);
    if (document.title.startsWith(DOT)) document.title = document.title.slice(DOT.length);
  };
}

type Asks = Pick<Prompts, "open">;

/** Asks about the unsaved changes of a text; true when none are left. */
export async function askAboutUnsaved(file: TextFile, prompts: Asks): Promise<boolean> {
  await file.settled();
  if (!file.holds) return true;
  const answer = await prompts.open("discard", { name: nameOf(file.path) });
  if (answer === "discard") file.discard();
  return answer === "discard" || (answer === "save" && await file.save());
}

/**
 * Asks for a name and saves a text under it, in the folder of its original file.
 *
 * @returns its path; null when it was not saved
 */
export async function saveUnderName(
  file: TextFile,
  prompts: Asks,
  mine: Text,
): Promise<EntryPath | null> {
  const name = await prompts.open("saveAs", { name: nameOf(file.path) });
  if (name === null) return null;
  const to = childOf(parentOf(file.path), name);
  return await file.saveAs(to, mine) ? to : null;
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
