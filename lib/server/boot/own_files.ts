import type { Config } from "../core/config/config.ts";
import { argumentsFor } from "../features/commands/command_line.ts";
import { isBelow } from "../core/disk/real_path.ts";
import { appFolder } from "../core/config/app_folder.ts";
import { databaseFiles } from "../core/config/places.ts";
import { StartRefusal } from "../core/config/refusal.ts";

/** A file of the server's own, and the flag that sets its path. */
interface OwnFile {
  what: string;
  path: string;
  flag: string;
}

/**
 * Refuses to start with commands enabled when the served folder contains files of the server's own,
 * or when one of them has a hard link that may lie in it. Commands bypass the gate: by a moved
 * scope or a link they could reach the store and its signing key. Without commands these files may
 * lie there, as the gate hides them.
 *
 * @throws StartRefusal with the file and a remedy
 */
export function refuseOwnFilesInRoot(config: Config): void {
  if (config.disableExec) return;
  const files = ownFiles(config);
  const inside = files.filter(({ path }) => isBelow(path, config.root));
  if (inside.length > 0) {
    const named = inside.filter(({ flag }, at) => inside.findIndex((f) => f.flag === flag) === at);
    throw new StartRefusal(
      `Cannot allow commands: the served folder "${config.root}" holds ${
        list(named.map(({ what, path }) => `the ${what} "${path}"`))
      }; name another place outside of it with ${list(named.map(({ flag }) => `--${flag}`))}`,
    );
  }
  const linked = files.find(({ path }) => mayHaveNameIn(config.root, path));
  if (!linked) return;
  throw new StartRefusal(
    `Cannot allow commands: the ${linked.what} "${linked.path}" has a second name (a hard link) ` +
      "on the disk of the served folder; remove that name, or put a copy in place of the file",
  );
}

/**
 * Refuses to start with a program that knows the passwords in the served folder: a user who may
 * write there could replace it.
 *
 * @throws StartRefusal with the file; also for a line that cannot be read
 */
export function refuseHookInRoot({ authMethod, authCommand = "", root }: Config): void {
  if (authMethod !== "hook") return;
  const inRoot = wordsOf(authCommand).map(realPathOf)
    .find((path) => path !== null && isBelow(path, root));
  if (inRoot === undefined) return;
  throw new StartRefusal(
    `Cannot use --auth-command: the served folder "${root}" holds "${inRoot}", which a user could ` +
      "replace",
  );
}

function wordsOf(line: string): string[] {
  try {
    return argumentsFor(line, []);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new StartRefusal(`Cannot use --auth-command: ${reason}`);
  }
}

function realPathOf(word: string): string | null {
  try {
    return word.startsWith("/") ? Deno.realPathSync(word) : null;
  } catch {
    return null;
  }
}

function ownFiles({ database, cacheDir, cert, key, reserved }: Config): OwnFile[] {
  const files = [
    ...databaseFiles(database).map((path) => ({ what: "database", path, flag: "database" })),
    { what: "cache", path: cacheDir, flag: "cache-dir" },
    { what: "certificate", path: cert, flag: "cert" },
    { what: "key", path: key, flag: "key" },
  ].filter((file): file is OwnFile => file.path !== undefined);
  // The other reserved paths, besides the program, are places of a config file: a command could
  // write one there for the next start.
  const known = new Set([appFolder, ...files.map(({ path }) => path)]);
  const others = reserved.filter((path) => !known.has(path));
  return [
    ...files,
    ...others.map((path) => ({ what: "place of a config file", path, flag: "config" })),
  ];
}

/** Whether the file may have a hard link below the root, which is only possible on one disk. */
function mayHaveNameIn(root: string, path: string): boolean {
  try {
    const { isFile, nlink, dev } = Deno.statSync(path);
    return isFile && (nlink ?? 1) > 1 && dev === Deno.statSync(root).dev;
  } catch {
    return false;
  }
}

function list(words: string[]): string {
  return words.join(", ").replace(/, ([^,]*)$/, " and $1");
}
