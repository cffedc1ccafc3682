/**
 * One spelling for names that a case-folding file system takes for the same: composed characters,
 * lower case.
 */
export function foldName(name: string): string {
  return name.normalize("NFC").toLowerCase();
}
