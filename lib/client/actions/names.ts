/** What is wrong with a name, as the end of a key of the texts: `names.empty`. */
export type NameFault = "empty" | "slash" | "dots" | "long" | "control";

/** The longest name that the usual file systems take, in bytes of UTF-8. */
export const MAX_NAME_BYTES = 255;

/** What comes before the extension, and the extension; ".tar.gz" counts as one. */
const PARTS = /^(\.*[^.].*?)((?:\.tar)?\.[^.]+)$/s;

/** A name as it will be used: without the blanks around it. */
export function cleanName(typed: string): string {
  return typed.trim();
}

/** What is wrong with a (cleaned) name for a new entry; null when it is good. */
export function nameFault(name: string): NameFault | null {
  if (name === "") return "empty";
  if (name === "." || name === "..") return "dots";
  if (name.includes("/")) return "slash";
  if (name.includes("\0") || !name.isWellFormed()) return "control";
  return new TextEncoder().encode(name).length > MAX_NAME_BYTES ? "long" : null;
}

/** How much of a name comes before its extension, in UTF-16 units: what is selected to be typed over. */
export function stemLength(name: string, isFolder: boolean): number {
  return isFolder ? name.length : PARTS.exec(name)?.[1]?.length ?? name.length;
}

/** The name that makes room for another entry, as the server picks it: `a.txt` becomes `a(1).txt`. */
export function numberedName(name: string, number: number, isFolder: boolean): string {
  const stem = stemLength(name, isFolder);
  return `${name.slice(0, stem)}(${number})${name.slice(stem)}`;
}
