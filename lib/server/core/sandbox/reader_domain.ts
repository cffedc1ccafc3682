import { basename, dirname } from "node:path";
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

/** What LibreOffice reads besides. */
const office = [
  ...["/etc/libreoffice", "/var/lib/libreoffice", "/var/spool/libreoffice"],
  ...["/proc/cpuinfo", "/proc/meminfo"],
];

const ofScratch = right.readFile | right.readFolder | right.writeFile | right.truncate |
  right.makeFile | right.makeFolder | right.removeFile | right.removeFolder |
  right.moveBetweenFolders;

/** The path by which a program opens its standard input again, with a position of its own. */
export const inputPath = "/proc/self/fd/0";

/**
 * The Landlock domain of a program that reads one file, its standard input: it reads that and the
 * system's libraries, executes itself alone, writes nothing, and connects nowhere.
 *
 * @param programs the files that may be executed
 * @param scratch a folder of this run alone, to which it may write
 */
export function readerDomain(programs: readonly string[], scratch?: string): Domain {
  const named = (paths: readonly string[], rights: bigint) =>
    paths.map((path) => ({ path, rights }));
  return {
    paths: [
      ...named([...folders, ...settings], right.readFile | right.readFolder),
      ...named([...programs, ...loaders()], right.readFile | right.execute),
      ...named(devices, right.readFile),
      ...named(["/dev/null"], right.readFile | right.writeFile),
      ...scratch === undefined ? named([inputPath], right.readFile) : [
        ...named([...office, ...ownFolders(programs)], right.readFile | right.readFolder),
        // No links: what is read from here afterwards is a file that lies here.
        ...named([scratch], ofScratch),
      ],
    ],
    listenPorts: [],
    connectPorts: [],
  };
}

/** The folder of LibreOffice as its makers install it: `/opt/libreoffice24.8` of its `program/soffice`. */
function ownFolders(programs: readonly string[]): string[] {
  return programs.map(dirname).filter((folder) => basename(folder) === "program").map(dirname);
}

/** Whether such a program could read a path of the server besides its input. */
export function isOpenToReaders(path: string): boolean {
  return folders.some((folder) => isBelow(path, folder));
}
