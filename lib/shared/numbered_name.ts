/** The stem and the extension of a file name; ".tar.gz" counts as one extension. */
const PARTS = /^(\.*[^.].*?)((?:\.tar)?\.[^.]+)$/s;

/** The length of a name without its extension, in UTF-16 units; folders have no extension. */
export function stemLength(name: string, isFolder: boolean): number {
  return isFolder ? name.length : PARTS.exec(name)?.[1]?.length ?? name.length;
}

/**
 * The next free-name candidate: `a.txt` becomes `a(1).txt`, `a.tar.gz` becomes `a(1).tar.gz`,
 * `.bashrc` becomes `.bashrc(1)`. Uploads are numbered by the client, copies and moves by the
 * server; both use this.
 */
export function numberedName(name: string, number: number, isFolder: boolean): string {
  const stem = stemLength(name, isFolder);
  return `${name.slice(0, stem)}(${number})${name.slice(stem)}`;
}
