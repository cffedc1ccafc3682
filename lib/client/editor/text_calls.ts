import type { Text } from "@codemirror/state";
import type { EntryPath } from "../../shared/path.ts";
import type { Api } from "../api/api.ts";
import { failure, type Result, success } from "../api/result.ts";
import { charactersOf, type TextVersion, versionOf } from "./text_version.ts";

/** The calls that an open text makes. */
export type TextApi = Pick<Api, "resource" | "saveText" | "makeFile" | "remove">;

/** Reads the text of a file; null when the user may not have it. */
export async function readVersion(
  api: TextApi,
  path: EntryPath,
): Promise<Result<TextVersion | null>> {
  const answer = await api.resource(path, { offset: 0, limit: 1 });
  if (!answer.ok) return answer;
  const { isDir, type } = answer.value;
  if (isDir || type === "blob") return failure(404, "not_found", "It is no text any more");
  return success(versionOf(answer.value));
}

/** Saves a text over the version that it came from, and tells the new version's tag. */
export function saveVersion(
  api: TextApi,
  path: EntryPath,
  text: Text,
  { encoding, lineEnding, tag }: TextVersion,
): Promise<Result<string | undefined>> {
  return api.saveText(path, charactersOf(text, lineEnding), { encoding, version: tag });
}

/** Makes a file with a text in it, kept as a version is; nothing is left of it when that fails. */
export async function createVersion(
  api: TextApi,
  path: EntryPath,
  text: Text,
  like: TextVersion,
): Promise<Result<string | undefined>> {
  const made = await api.makeFile(path);
  if (!made.ok) return made;
  const saved = await saveVersion(api, path, text, { ...like, tag: undefined });
  if (!saved.ok) await api.remove(path);
  return saved;
}
