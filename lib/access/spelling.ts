import { foldName } from "../rules/fold.ts";
import { isSameEntry } from "./identity.ts";
import { lstatIfThere } from "./lstat.ts";
import { isBelow, realChild, realName, realParent, type RealPath } from "./real_path.ts";

/** A path in the spelling that the disk holds. */
export interface Spelling {
  real: RealPath;
  /** Some folder on the way takes several spellings for the same name. */
  anyCase: boolean;
}

/**
 * Finds the spelling in which the disk holds a path, for file systems that fold case or compose
 * characters differently (macOS, Windows, a stick with exFAT): there a rule for "/private" must
 * hold for "/PRIVATE". On the others it costs one look a folder, kept from then on.
 *
 * @param real an entry that is there, inside the bounds
 */
export function spellingOf(real: RealPath, bounds: RealPath): Spelling {
  const names: string[] = [];
  for (let path = real; path !== bounds && isBelow(path, bounds); path = realParent(path)) {
    names.unshift(realName(path));
  }
  let spelled = bounds;
  let anyCase = false;
  for (const name of names) {
    if (foldsNames(spelled, name)) {
      anyCase = true;
      spelled = realChild(spelled, namesOnDisk(spelled, name));
    } else {
      spelled = realChild(spelled, name);
    }
  }
  return { real: spelled, anyCase };
}

/** How many folders are remembered. */
const capacity = 10_000;

const folding = new Map<string, boolean>();

/** Whether a folder takes another spelling of a name that is in it for the same entry. */
export function foldsNames(folder: RealPath, name: string): boolean {
  const other = otherSpelling(name);
  if (other === name) return false;
  const { dev, ino, birthtime } = Deno.lstatSync(folder);
  const key = `${dev}:${ino}:${birthtime?.getTime()}`;
  const known = folding.get(key);
  if (known !== undefined) return known;
  const folds = isSameUnderBoth(folder, name, other);
  if (folds === undefined) return false;
  // Beyond ASCII the other spelling is a guess: that it failed says nothing of other names.
  if (!folds && !/[a-z]/i.test(name)) return false;
  if (folding.size >= capacity) folding.clear();
  folding.set(key, folds);
  return folds;
}

/** Undefined when the name itself is not there. */
function isSameUnderBoth(folder: RealPath, name: string, other: string): boolean | undefined {
  const info = lstatIfThere(realChild(folder, name));
  if (!info) return undefined;
  const otherInfo = lstatIfThere(realChild(folder, other));
  if (!otherInfo || !isSameEntry(info, otherInfo)) return false;
  const names = new Set(Deno.readDirSync(folder).map((entry) => entry.name));
  return !(names.has(name) && names.has(other));
}

function namesOnDisk(folder: RealPath, name: string): string {
  const names = [...Deno.readDirSync(folder)].map((entry) => entry.name);
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
