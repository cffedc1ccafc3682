import { isBelow } from "../disk/real_path.ts";
import { loaders } from "./confinement.ts";
import { type Domain, right } from "./landlock.ts";

/** Folders of programs, libraries and fonts. */
const folders = ["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/nix/store"];

/** Settings without secrets: libraries, fonts, the time zone. */
const settings = [
  ...["/etc/alternatives", "/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d"],
  ...["/etc/fonts", "/var/cache/fontconfig", "/etc/localtime", "/sys/devices/system/cpu"],
];

const devices = ["/dev/null", "/dev/zero", "/dev/random", "/dev/urandom"];

/** The path by which a program opens its standard input again, with a position of its own. */
export const inputPath = "/proc/self/fd/0";

/**
 * The Landlock domain of a program that reads one file, its standard input: it reads that and the
 * system's libraries, executes itself alone, writes nothing, and connects nowhere.
 *
 * @param programs the files that may be executed
 */
export function readerDomain(programs: readonly string[]): Domain {
  const named = (paths: readonly string[], rights: bigint) =>
    paths.map((path) => ({ path, rights }));
  return {
    paths: [
      ...named([...folders, ...settings], right.readFile | right.readFolder),
      ...named([...programs, ...loaders()], right.readFile | right.execute),
      ...named(devices, right.readFile),
      ...named(["/dev/null"], right.readFile | right.writeFile),
      ...named([inputPath], right.readFile),
    ],
    listenPorts: [],
    connectPorts: [],
  };
}

/** Whether such a program could read a path of the server besides its input. */
export function isOpenToReaders(path: string): boolean {
  return folders.some((folder) => isBelow(path, folder));
}
