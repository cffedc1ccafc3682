import { wellFormedName } from "../../../shared/entry_names.ts";

/** Characters that could lead out of the target folder on unpacking, or control a terminal. */
const unsafe = /[\\/\p{Cc}]/gu;

/** "C:" at the beginning, a drive on Windows. */
const drive = /^([a-z]):/i;

/**
 * Makes a name safe for an archive. On Linux a file may be called `..\..\evil` or `C:evil`;
 * unpacking it on Windows would write outside the target ("zip slip"). Backslashes, slashes,
 * control characters, the colon of a drive, and names of dots only become "_". Names in zip and
 * tar's extended headers must be UTF-8: an invalid byte becomes U+FFFD.
 */
export function safeName(name: string): string {
  return wellFormedName(name).replace(unsafe, "_").replace(drive, "$1_").replace(/^\.{1,2}$/, "_");
}

/** The same for a relative path with slashes between its names. */
export function safePath(path: string): string {
  return path.split("/").map(safeName).join("/");
}

/**
 * The safe forms of several names, in order. Collisions get distinct names, so that unpacking one
 * does not overwrite the other.
 *
 * @param make makes one name safe
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
