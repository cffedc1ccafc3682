import { effect } from "@preact/signals";
import { useEffect, useMemo } from "react";
import { parsePath } from "../../shared/path.ts";
import type { Resource } from "../../shared/api_types.ts";
import { useTranslation } from "../core/use_translation.ts";
import { warnBeforeLeaving } from "../core/leaving.ts";
import { useFiles } from "../navigation/use_files.ts";
import { useApi, usePrompts, useToasts } from "../core/use_site.ts";
import { TextFile } from "./text_file.ts";
import { askAboutUnsaved } from "./text_questions.ts";

/** Stands before the title of a page on which something is unsaved. */
const DOT = "\u2022 ";

/** The open text of a file, which nobody leaves with something unsaved before they were asked. */
export function useTextFile(entry: Resource): TextFile {
  const { t } = useTranslation();
  const { navigation } = useFiles();
  const api = useApi();
  const prompts = usePrompts();
  const toasts = useToasts();
  const { path } = parsePath(entry.path);
  const file = useMemo(() => {
    const onSaved = () => toasts.success(t("toasts.saved"));
    return new TextFile({ api, path, onSaved });
  }, [path]);

  useEffect(() => void file.offer(entry), [file, entry]);
  useEffect(() => {
    const holder = { holds: () => file.holds, ask: () => askAboutUnsaved(file, prompts) };
    return navigation.guard.hold(holder);
  }, [file]);
  useEffect(() => effect(() => file.saveState.value === "saved" ? undefined : warn()), [file]);
  return file;
}

/** Has the browser ask before the page itself is left; answers with the way to stop. */
function warn(): () => void {
  addEventListener("beforeunload", warnBeforeLeaving);
  document.title = DOT + document.title;
  return () => {
    removeEventListener("beforeunload", warnBeforeLeaving);
    if (document.title.startsWith(DOT)) document.title = document.title.slice(DOT.length);
  };
}
