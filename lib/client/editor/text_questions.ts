import type { Text } from "@codemirror/state";
import { childOf, type EntryPath, nameOf, parentOf } from "../../shared/path.ts";
import type { Prompts } from "../prompts/prompts.ts";
import type { TextFile } from "./text_file.ts";

type Asks = Pick<Prompts, "open">;

/** Asks what becomes of what is unsaved of a text; true when nothing is any more. */
export async function askAboutUnsaved(file: TextFile, prompts: Asks): Promise<boolean> {
  await file.settled();
  if (!file.holds) return true;
  const answer = await prompts.open("discard", { name: nameOf(file.path) });
  if (answer === "discard") file.discard();
  return answer === "discard" || (answer === "save" && await file.save());
}

/**
 * Asks for a name and saves a text under it, in the folder of the file that it came from.
 *
 * @returns where it lies now; null when it was not saved
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
