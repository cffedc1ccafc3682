/**
 * The case-folded, composed form of a name, equal for names that a case-folding file system takes
 * for the same.
 */
export function foldName(name: string): string {
  return name.normalize("NFC").toLowerCase();
}
