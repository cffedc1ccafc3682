import { StartRefusal } from "../../lib/server/core/config/refusal.ts";

/** What is read of `deno.lock` (version 5). Keys are `name@version`, and peers after a `_`. */
export interface Lock {
  npm: Record<string, LockedPackage>;
}

/** A package of the lock file. */
export interface LockedPackage {
  /** The digest of its archive, such as `sha512-…`. */
  integrity?: string;
  dependencies?: string[];
  optionalDependencies?: string[];
  /** The systems and processors that it is for; all when left out. */
  os?: string[];
  cpu?: string[];
}

/** The npm package's `package.json`. */
interface Manifest {
  dependencies: Record<string, string>;
  optionalDependencies: Record<string, string>;
  [field: string]: unknown;
}

/** The runtime, as npm has it: the one that made the build. */
const runtime = { deno: Deno.version.deno };

/**
 * Describes the npm package. It names the packages of the lock file with their exact versions, also
 * those that others need in turn, so that an install years later gets what was tested. A package of
 * which the lock file has two versions is left to the ranges of those who need it.
 *
 * @param packages names that the bundle imports
 * @param repository the address of the repository, where it is known
 * @throws StartRefusal when the lock file lacks one
 */
export function manifestOf(
  { version, packages, lock, repository }: {
    version: string;
    packages: Set<string>;
    lock: Lock;
    repository?: string;
  },
): Manifest {
  const versions = new Map<string, Set<string>>();
  const optional = new Set<string>();
  const needed = new Set<string>();
  for (const name of packages) visit(keyOf(name, lock), false);
  const pinned = [...versions].sort(([a], [b]) => a < b ? -1 : 1)
    .filter(([, found]) => found.size === 1)
    .map(([name, [found = ""]]) => [name, found] as const);
  return {
    name: "cubby-files",
    version,
    description: "A self-hosted web file manager, the safe successor to File Browser",
    keywords: ["file manager", "file browser", "self-hosted", "uploads", "shares"],
    license: "MIT",
    ...repository !== undefined && {
      repository: { type: "git", url: `git+${repository}.git` },
      homepage: `${repository}#readme`,
      bugs: `${repository}/issues`,
    },
    type: "module",
    bin: { "cubby-files": "deploy/npm/cubby-files.js" },
    engines: { node: ">=20" },
    os: ["linux", "darwin", "win32"],
    cpu: ["x64", "arm64"],
    dependencies: Object.fromEntries([
      ...pinned.filter(([name]) => needed.has(name)),
      ...Object.entries(runtime),
    ]),
    optionalDependencies: Object.fromEntries(pinned.filter(([name]) => !needed.has(name))),
  };

  function visit(key: string, isOptional: boolean): void {
    const { name, version: found } = readKey(key);
    const isKnown = isOptional ? optional.has(key) || needed.has(name) : needed.has(name);
    const all = versions.get(name) ?? new Set();
    versions.set(name, all.add(found));
    if (isOptional) optional.add(key);
    else needed.add(name);
    if (isKnown && all.size === 1) return;
    const { dependencies = [], optionalDependencies = [] } = lock.npm[key] ?? {};
    for (const next of dependencies) visit(keyOf(next, lock), isOptional);
    for (const next of optionalDependencies) visit(keyOf(next, lock), true);
  }
}

/** The name and the version in a key of the lock file. */
export function readKey(key: string): { name: string; version: string } {
  const [, name = "", version = ""] = /^((?:@[^/]+\/)?[^@]+)@([^_]+)/.exec(key) ?? [];
  return { name, version };
}

/** The key of what another entry names: by its name, or with its version where there are several. */
export function keyOf(name: string, { npm }: Lock): string {
  if (npm[name]) return name;
  const found = Object.keys(npm).find((key) => key.startsWith(`${name}@`)) ??
    Object.keys(npm).find((key) => key.startsWith(`${name}_`));
  if (found === undefined) throw new StartRefusal(`Cannot pack: deno.lock has no "${name}"`);
  return found;
}
