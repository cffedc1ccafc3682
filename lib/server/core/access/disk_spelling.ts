import { isSameEntry } from "../disk/facts.ts";
import type { OpenFolder } from "../disk/disk.ts";
import { disk } from "../disk/this_disk.ts";
import { foldName } from "../../../shared/fold.ts";
import { LruCache } from "../../../shared/lru_cache.ts";
import { isBelow, realChild, realName, type RealPath } from "../disk/real_path.ts";

/** A path in the spelling that the disk holds. */
export interface DiskSpelling {
  real: RealPath;
  /** Some folder on the way takes several spellings for the same name. */
  caseInsensitive: boolean;
}

/**
 * Finds the spelling in which the disk holds a path, for file systems that fold case or compose
 * characters differently (macOS, Windows, exFAT): there a rule for "/private" must hold for
 * "/PRIVATE". On others it costs one check per folder, which is cached.
 *
 * @param real an existing entry inside the bounds
 */
export function spellingOf(real: RealPath, bounds: RealPath): DiskSpelling {
  const names = isBelow(real, bounds) ? real.slice(bounds.length).split("/").filter(Boolean) : [];
  let spelling: DiskSpelling = { real: bounds, caseInsensitive: false };
  let folder: OpenFolder | null = null;
  try {
    for (const name of names) {
      // Each folder is opened from the one above: paths may be very deep.
      const next: OpenFolder = folder?.folder(realName(spelling.real)) ?? disk.folder(bounds);
      folder?.[Symbol.dispose]();
      folder = next;
      spelling = spellingIn(folder, spelling, name);
    }
    return spelling;
  } finally {
    folder?.[Symbol.dispose]();
  }
}

/** The spelling of an entry of a folder whose own spelling is known. */
export function spellingBelow(above: DiskSpelling, name: string): DiskSpelling {
  using folder = disk.folder(above.real);
  return spellingIn(folder, above, name);
}

function spellingIn(folder: OpenFolder, above: DiskSpelling, name: string): DiskSpelling {
  if (!foldsNames(folder, name)) return { ...above, real: realChild(above.real, name) };
  return { real: realChild(above.real, nameOnDisk(folder, name)), caseInsensitive: true };
}

/** Capacity of the cache, in folders. */
const capacity = 10_000;

const folding = new LruCache<string, boolean>(capacity);

/** Whether a folder resolves another spelling of an existing name to the same entry. */
export function foldsNames(folder: OpenFolder, name: string): boolean {
  const other = otherSpelling(name);
  if (other === name) return false;
  const { dev, ino, birthtime } = folder.facts();
  const key = `${dev}:${ino}:${birthtime?.getTime()}`;
  const known = folding.get(key);
  if (known !== undefined) return known;
  const folds = isSameUnderBoth(folder, name, other);
  if (folds === undefined) return false;
  // Beyond ASCII the other spelling is a guess: its failure proves nothing for other names.
  if (!folds && !/[a-z]/i.test(name)) return false;
  folding.set(key, folds);
  return folds;
}

/** Undefined when the name itself is not there. */
function isSameUnderBoth(folder: OpenFolder, name: string, other: string): boolean | undefined {
  const info = folder.look(name);
  if (!info) return undefined;
  const otherInfo = folder.look(other);
  if (!otherInfo || !isSameEntry(info, otherInfo)) return false;
  const names = new Set(folder.entries().map((entry) => entry.name));
  return !(names.has(name) && names.has(other));
}

function nameOnDisk(folder: OpenFolder, name: string): string {
  const names = folder.entries().map((entry) => entry.name);
  const folded = foldName(name);
  return names.find((held) => held === name) ??
    names.find((held) => foldName(held) === folded) ?? name;
}

/** The same name with ASCII letters in the other case; without any, cased or composed otherwise. */
function otherSpelling(name: string): string {
  const swapped = name.replace(/[a-zA-Z]/g, (letter) => {
    const lower = letter.toLowerCase();
    return lower === letter ? letter.toUpperCase() : lower;
  });
  const others = [swapped, name.toUpperCase(), name.toLowerCase(), name.normalize("NFD")];
  return others.find((other) => other !== name) ?? name.normalize("NFC");
}
