import { dirname } from "node:path";
import type { Config } from "../config/config.ts";
import { appFolder, packageFolder } from "../config/app_folder.ts";
import { askedServers, databaseFiles, isFileDatabase, isRemote, portOf } from "../config/places.ts";
import { type Domain, right } from "./landlock.ts";

const read = right.readFile | right.readFolder;
const run = right.readFile | right.execute;
const write = right.writeFile | right.truncate;
const serve = read | write | right.removeFile | right.removeFolder | right.makeFile |
  right.makeFolder | right.moveBetweenFolders;

/** Libraries that Deno and native packages load. */
const libraries = ["/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/local/lib", "/nix/store"];

/**
 * Single files that Deno, the C library and native packages read. `/etc` and `/proc` as a whole are
 * not readable: they contain password files, and the environment of processes.
 */
const systemFiles = [
  ...["/etc/ld.so.cache", "/etc/localtime", "/usr/share/zoneinfo", "/usr/bin/ldd"],
  ...["/etc/hosts", "/etc/host.conf", "/etc/nsswitch.conf", "/etc/resolv.conf", "/etc/gai.conf"],
  // Memory and processor counts, for the sizes of heap and thread pools.
  ...["/proc/meminfo", "/proc/self/cgroup", "/sys/fs/cgroup", "/sys/devices/system/cpu"],
  ...["/dev/random", "/dev/urandom", "/dev/zero"],
  // The C library finds the end of the main thread's stack here; Deno's compiler asks for it. The
  // process id stays the same, so this is the server's own.
  "/proc/self/maps",
  // The mount table: which disks may hang.
  "/proc/self/mountinfo",
];

/** Where systems keep the certificates of authorities, which Deno reads with DENO_TLS_CA_STORE. */
const systemAuthorities = [
  ...["/etc/ssl/certs", "/etc/ssl/cert.pem", "/etc/pki/tls/certs", "/etc/pki/ca-trust/extracted"],
  ...["/usr/share/ca-certificates", "/usr/local/share/ca-certificates", "/etc/ca-certificates"],
];

/** The Landlock domain of the server process. */
export function confinementOf(config: Config): Domain {
  const { root, cacheDir, database, cert, key, port, socket, brandingFolder, libc } = config;
  const { databaseCa } = config;
  const paths: Domain["paths"] = [];
  const allow = (rights: bigint, ...given: (string | undefined)[]) => {
    for (const path of given) if (path !== undefined) paths.push({ path, rights });
  };

  allow(read, appFolder, realPath(packageFolder), ...libraries, ...systemFiles);
  // Deno reads the resident memory here.
  if (config.metricsToken !== undefined) allow(right.readFile, "/proc/self/statm");
  allow(run, Deno.execPath(), ...loaders());
  allow(read | write, "/dev/null");
  allow(serve, root, cacheDir);
  // Renaming a symlink needs the right to make it. The kernel refuses to read through one that
  // leads out, and Deno's permissions refuse to create any.
  allow(right.makeLink, root);
  allow(read | write, ...databaseFiles(database));
  // SQLite removes its log when the last connection to the store closes. A log that stayed would be
  // replayed over a backup restored in the store's place.
  if (isFileDatabase(database)) allow(right.removeFile, dirname(database));
  if (socket) allow(right.makeSocket, dirname(socket.path));
  allow(right.readFile, cert, key, libc, databaseCa);
  if (isRemote(database)) allow(read, ...systemAuthorities);
  allow(read, brandingFolder);

  return { paths, listenPorts: socket ? [] : [port], connectPorts: connectPorts(config) };
}

/** The ports of other servers' URLs and of webhooks, and port 53 for DNS. */
function connectPorts(config: Config): number[] {
  const { database } = config;
  const others = [...isRemote(database) ? [database] : [], ...askedServers(config)];
  const ports = [...others.map(portOf), ...config.webhooks?.ports ?? []];
  return ports.length > 0 ? [...new Set([...ports, 53])] : [];
}

/** The dynamic loaders that the kernel starts for a program. */
export function loaders(): string[] {
  const folders = ["/lib", "/lib64", "/lib/x86_64-linux-gnu", "/lib/aarch64-linux-gnu"];
  return folders.flatMap((folder) => namesIn(folder).filter(isLoader).map((n) => `${folder}/${n}`));
}

function isLoader(name: string): boolean {
  return /^ld-(linux|musl).*\.so(\.\d+)*$/.test(name);
}

function namesIn(folder: string): string[] {
  try {
    return [...Deno.readDirSync(folder)].map(({ name }) => name);
  } catch {
    return [];
  }
}

function realPath(path: string): string | undefined {
  try {
    return Deno.realPathSync(path);
  } catch {
    return undefined;
  }
}
