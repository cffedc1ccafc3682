/** The fault of a name, as the end of a key of the texts: `names.empty`. */
export type NameFault = "empty" | "slash" | "dots" | "long" | "control";

/** The longest name that the usual file systems take, in bytes of UTF-8. */
export const MAX_NAME_BYTES = 255;

/** A name without surrounding white space, as it will be used. */
export function cleanName(typed: string): string {
  return typed.trim();
}

/** The fault of a (cleaned) name for a new entry; null when it is valid. */
export function nameFault(name: string): NameFault | null {
  if (name === "") return "empty";
  if (name === "." || name === "..") return "dots";
  if (name.includes("/")) return "slash";
  if (name.includes("\0") || !name.isWellFormed()) return "control";
  return new TextEncoder().encode(name).length > MAX_NAME_BYTES ? "long" : null;
}
