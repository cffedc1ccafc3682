import { dirname } from "node:path";
import type { Config } from "../config/config.ts";
import { libcVariable } from "../disk/libc.ts";
import { appFolder, codePaths, packageFolder } from "../config/app_folder.ts";
import { launchVariable } from "../disk/waiting_thread.ts";
import { askedServers, databaseFiles, isRemote, portOf } from "../config/places.ts";
import { StartRefusal } from "../config/refusal.ts";

/**
 * The flags for the least of Deno's permissions that the server process needs (least privilege),
 * whatever code runs in it.
 *
 * @param isConfined whether Landlock confines the process as well
 * @throws StartRefusal when a path cannot be expressed and nothing else would confine the process
 */
export function permissionFlags(config: Config, isConfined: boolean): string[] {
  const { root, cacheDir, database, cert, key, brandingFolder, libc } = config;
  const sockets = [
    ...[config.commandHost?.socket, config.readerHost?.socket, config.socket?.path],
  ];
  if (appFolder.includes(",")) {
    throw new StartRefusal(`Cannot start from "${appFolder}": its path has a comma in it`);
  }
  const served = [root, cacheDir, ...databaseFiles(database)];
  const list = (paths: (string | undefined)[]) => pathList(paths, isConfined);
  return [
    "--no-prompt",
    // Native packages read ldd to detect the C library; otherwise they need all of `sys`.
    `--allow-read=${
      list([
        ...[appFolder, packageFolder, ...served, cert, key, ...sockets, brandingFolder],
        "/usr/bin/ldd",
      ])
    }`,
    `--allow-write=${list([...served, ...sockets])}`,
    `--deny-write=${list(codePaths)}`,
    // Names of receivers are not known before; Landlock keeps it to their ports.
    config.webhooks ? "--allow-net" : `--allow-net=${allowedHosts(config).join(",")}`,
    `--allow-env=${[launchVariable, libcVariable, ...tokenOf(database)].join(",")}`,
    // For the free space of the disk.
    "--allow-sys=statfs",
    // Packages read many variables: these appear unset instead of raising an error.
    "--ignore-env",
    // seccomp refuses its misuse beyond files: see `filterServerCalls()`.
    `--allow-ffi=${list([packageFolder, libc])}`,
  ];
}

function tokenOf(database: string): string[] {
  return isRemote(database) ? ["DENO_KV_ACCESS_TOKEN"] : [];
}

function allowedHosts(config: Config): string[] {
  const { address, port, socket, database, commandHost, readerHost } = config;
  const host = address.includes(":") ? `[${address}]` : address;
  const hosts = [socket ? `unix:${socket.path}` : `${host}:${port}`];
  if (isRemote(database)) hosts.push(new URL(database).host);
  for (const url of askedServers(config)) hosts.push(`${new URL(url).hostname}:${portOf(url)}`);
  for (const own of [commandHost, readerHost]) if (own) hosts.push(`unix:${own.socket}`);
  return [...new Set(hosts)];
}

/**
 * Deno splits lists at commas and has no way to escape one. A path with a comma is replaced by the
 * folder above the comma, as long as the kernel still confines the process to the path itself.
 */
function pathList(paths: (string | undefined)[], isConfined: boolean): string {
  const named = paths.filter((path) => path !== undefined).map((path) => {
    if (!path.includes(",")) return path;
    if (isConfined) return dirname(path.slice(0, path.indexOf(",")) + "x");
    throw new StartRefusal(
      `Cannot use "${path}": without Landlock, a path with a comma cannot be confined`,
    );
  });
  return [...new Set(named)].join(",");
}
