import { encodeName } from "./entry_names.ts";

/** The longest name that most disks take, in bytes. */
const maxNameBytes = 255;

/** The stem and the extension of a file name; ".tar.gz" counts as one extension. */
const PARTS = /^(\.*[^.].*?)((?:\.tar)?\.[^.]+)$/s;

/** The length of a name without its extension, in UTF-16 units; folders have no extension. */
export function stemLength(name: string, isFolder: boolean): number {
  return isFolder ? name.length : PARTS.exec(name)?.[1]?.length ?? name.length;
}

/**
 * The next free-name candidate: `a.txt` becomes `a(1).txt`, `a.tar.gz` becomes `a(1).tar.gz`,
 * `.bashrc` becomes `.bashrc(1)`. A name that would be longer than disks take is shortened, before
 * its extension if that leaves room. Uploads are numbered by the client, copies and moves by the
 * server; both use this.
 */
export function numberedName(name: string, number: number, isFolder: boolean): string {
  const stem = stemLength(name, isFolder);
  const numbered = `(${number})`;
  const extension = name.slice(stem);
  const maxBytes = Math.max(maxNameBytes, bytesOf(name));
  const remaining = maxBytes - bytesOf(numbered + extension);
  const shortened = cut(name.slice(0, stem), remaining);
  return shortened === ""
    ? cut(name, maxBytes - bytesOf(numbered)) + numbered
    : shortened + numbered + extension;
}

/** The longest start of a text that fits into a number of bytes as a name, in whole characters. */
function cut(text: string, bytes: number): string {
  if (bytesOf(text) <= bytes) return text;
  const characters = [...text];
  let length = 0;
  const end = characters.findIndex((character) => (length += bytesOf(character)) > bytes);
  return characters.slice(0, end).join("");
}

function bytesOf(name: string): number {
  return encodeName(name).length;
}
