import type { Text } from "@codemirror/state";
import { useFiles } from "../use_files.ts";
import type { TextFile } from "./text_file.ts";

/** Saves a text under a name that the user is asked for, and opens the file that it is in then. */
export function useSaveAs(file: TextFile): (mine?: Text) => Promise<void> {
  const { navigation } = useFiles();
  return async (mine = file.draft ?? undefined) => {
    if (mine === undefined) return;
    const path = await file.saveAs(mine);
    if (path !== null) navigation.go(path, { folder: false });
  };
}
