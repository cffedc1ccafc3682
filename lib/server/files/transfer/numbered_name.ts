import { childOf, type EntryPath, nameOf, parentOf } from "../../../shared/path.ts";

/** What comes before the number, and the extension behind it: ".tar.gz" counts as one. */
const parts = /^(\.*[^.].*?)((?:\.tar)?\.[^.]+)$/s;

/**
 * The name that makes room for another entry: `a.txt` becomes `a(1).txt`, `a.tar.gz` becomes
 * `a(1).tar.gz`, `.bashrc` becomes `.bashrc(1)`; a folder's name has no extension.
 */
export function numberedName(name: string, number: number, isFolder: boolean): string {
  const [, stem = name, extension = ""] = isFolder ? [] : parts.exec(name) ?? [];
  return `${stem}(${number})${extension}`;
}

/** The same for the last name of a path. */
export function numberedPath(path: EntryPath, number: number, isFolder: boolean): EntryPath {
  return childOf(parentOf(path), numberedName(nameOf(path), number, isFolder));
}
