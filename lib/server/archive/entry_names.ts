import { displayName } from "../../shared/entry_names.ts";

/** What could lead out of the folder that an archive is unpacked into, or upset a terminal. */
const unsafe = /[\\/\p{Cc}]/gu;

/** "C:" at the beginning, which Windows takes for a drive. */
const drive = /^([a-z]):/i;

/**
 * A name as it may stand in an archive: on Linux a file may well be called `..\..\evil` or
 * `C:evil`, and whoever unpacks it on Windows would write somewhere else ("zip slip"). Backslashes,
 * slashes, control characters, the colon of a drive, and names of nothing but dots become "_". Names
 * in zip and in tar's extended headers have to be UTF-8: a byte that is not becomes U+FFFD.
 */
export function safeName(name: string): string {
  return displayName(name).replace(unsafe, "_").replace(drive, "$1_").replace(/^\.{1,2}$/, "_");
}

/** The same for a relative path with slashes between its names. */
export function safePath(path: string): string {
  return path.split("/").map(safeName).join("/");
}

/**
 * The safe forms of several names, in order. Two that would come out the same are kept apart, so
 * that unpacking one does not overwrite the other.
 *
 * @param make what makes one of them safe
 */
export function safeNames(names: readonly string[], make = safeName): string[] {
  const safe = names.map(make);
  if (safe.every((text, index) => text === names[index])) return safe;
  const taken = new Set(names.filter((name, index) => name === safe[index]));
  return names.map((name, index) => {
    let text = safe[index] ?? "_";
    if (text === name) return name;
    while (taken.has(text)) text += "_";
    taken.add(text);
    return text;
  });
}
