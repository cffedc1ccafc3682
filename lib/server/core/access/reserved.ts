import { type Facts, isSameEntry } from "../disk/facts.ts";
import { disk } from "../disk/this_disk.ts";
import { foldName } from "../../../shared/fold.ts";
import { isBelow, realName, realParent, type RealPath } from "../disk/real_path.ts";

/** The files that SQLite keeps beside a store, and adopts when it finds them there. */
const companions = ["", "-wal", "-shm", "-journal"];

/** Lifetime of the cached inodes of the reserved files, in milliseconds. */
const freshMs = 1_000;

/** The inode and device of a reserved file. */
type Identity = Pick<Facts, "ino" | "dev">;

/**
 * The files and folders that no viewer may see or reach, with all below them: the store, the cache,
 * the config file. They are matched by path, ignoring case, which also protects names that SQLite
 * would use; and by device and inode, so that a hard link or a bind mount under another name is the
 * same file.
 */
export class Reserved {
  readonly #paths: RealPath[];
  readonly #names: ReadonlyMap<string, Set<string>>;

  constructor(readonly spec: { reserved: string[] }) {
    const { paths, names } = foldedPaths(spec.reserved);
    this.#paths = paths;
    this.#names = names;
  }

  /** Whether a real path is one of them or lies below one. */
  covers(real: RealPath): boolean {
    if (this.#paths.length === 0) return false;
    const folded = foldName(real) as RealPath;
    return this.#paths.some((path) => isBelow(folded, path));
  }

  /** Whether one of them is, or would be, at a real path or below it. */
  liesBelow(real: RealPath): boolean {
    const folded = foldName(real) as RealPath;
    return this.#paths.some((path) => isBelow(path, folded));
  }

  /** The names in one folder that are reserved, folded; usually none. */
  namesIn(folder: RealPath): ReadonlySet<string> {
    if (this.#names.size === 0) return noNames;
    return this.#names.get(foldName(folder)) ?? noNames;
  }

  /** Whether an entry is one of them under whatever name. */
  is(facts: Facts): boolean {
    if (facts.isSymlink || (facts.isFile && facts.nlink === 1)) return false;
    return identitiesOf(this.spec.reserved).all.some((identity) => isSameEntry(facts, identity));
  }

  /** The inode numbers of all, on any device: a quick filter before the exact check. */
  get inodes(): ReadonlySet<number> {
    return identitiesOf(this.spec.reserved).inodes;
  }
}

const noNames: ReadonlySet<string> = new Set();

/** The reserved paths, folded, and their names by the folders that hold them. */
interface Folded {
  paths: RealPath[];
  names: Map<string, Set<string>>;
}

const folded = new WeakMap<string[], Folded>();

function foldedPaths(reserved: string[]): Folded {
  let known = folded.get(reserved);
  if (!known) {
    const all = reserved.flatMap((path) => companions.map((suffix) => foldName(path + suffix)));
    const paths = [...new Set(all)] as RealPath[];
    const names = new Map<string, Set<string>>();
    for (const path of paths) {
      const folder = realParent(path);
      names.set(folder, (names.get(folder) ?? new Set()).add(realName(path)));
    }
    folded.set(reserved, known = { paths, names });
  }
  return known;
}

interface Identities {
  all: Identity[];
  inodes: Set<number>;
  at: number;
}

const known = new WeakMap<string[], Identities>();

function identitiesOf(reserved: string[]): Identities {
  const now = performance.now();
  const before = known.get(reserved);
  if (before && now - before.at < freshMs) return before;
  const all = reserved.flatMap((path) => companions.map((suffix) => path + suffix))
    .map(lookQuietly).filter((facts) => facts !== null);
  const inodes = new Set(all.map(({ ino }) => ino ?? 0));
  const identities = { all, inodes, at: now };
  known.set(reserved, identities);
  return identities;
}

function lookQuietly(path: string): Facts | null {
  try {
    return disk.look(path);
  } catch {
    return null;
  }
}
