import type { Text } from "@codemirror/state";
import { useFiles } from "../navigation/use_files.ts";
import { usePrompts } from "../core/use_site.ts";
import type { TextFile } from "./text_file.ts";
import { saveUnderName } from "./text_questions.ts";

/** Saves a text under a name that the user is asked for, and opens the file that it is in then. */
export function useSaveAs(file: TextFile): (mine?: Text) => Promise<void> {
  const { navigation } = useFiles();
  const prompts = usePrompts();
  return async (mine = file.draft ?? undefined) => {
    if (mine === undefined) return;
    const path = await saveUnderName(file, prompts, mine);
    if (path !== null) navigation.go(path, { folder: false });
  };
}
