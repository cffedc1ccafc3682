/** Whether two looks at the disk saw the same entry: the same inode of the same disk. */
export function isSameEntry(a: Deno.FileInfo, b: Deno.FileInfo): boolean {
  return a.ino === b.ino && a.dev === b.dev && a.isFile === b.isFile &&
    a.isDirectory === b.isDirectory && a.isSymlink === b.isSymlink;
}
