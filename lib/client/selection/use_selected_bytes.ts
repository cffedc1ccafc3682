import { useComputed } from "@preact/signals";
import { useFiles } from "../navigation/use_files.ts";

/** The bytes of the selected files; 0 as soon as a folder is among them, whose bytes nobody knows. */
export function useSelectedBytes(): number {
  const { listing } = useFiles();
  return useComputed(() => {
    const rows = listing.rows.value;
    const selected = listing.selection.now.value;
    if (selected.size === 0) return 0;
    let bytes = 0;
    let seen = 0;
    for (let index = 0; index < rows.total && seen < selected.size; index++) {
      if (!selected.has(index)) continue;
      const entry = rows.at(index);
      if (!entry || entry.isDir) return 0;
      bytes += entry.size;
      seen++;
    }
    return bytes;
  }).value;
}
