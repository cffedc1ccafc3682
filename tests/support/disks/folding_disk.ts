/** A disk that folds case, as those of macOS and Windows do: a container of Linux has none. */
import { join } from "node:path";
import type { OpenFolder } from "../../../lib/server/core/disk/disk.ts";
import { isSameEntry } from "../../../lib/server/core/disk/facts.ts";
import { disk } from "../../../lib/server/core/disk/this_disk.ts";

/**
 * Has the disk of this thread find names below a folder in any case, until that is disposed of. As
 * on a real one, an entry keeps the spelling that it was given.
 *
 * @param top holds no two names that differ by case alone
 */
export function foldCase(top: string): Disposable {
  const { look, folder } = disk;
  Object.assign(disk, {
    look: (real: string) => look(heldPath(top, real)),
    folder: (real: string) => folding(folder(heldPath(top, real)), heldPath(top, real)),
  });
  return { [Symbol.dispose]: () => void Object.assign(disk, { look, folder }) };
}

/** The path in the spelling that the disk holds. */
function heldPath(top: string, real: string): string {
  if (!real.startsWith(`${top}/`)) return real;
  const names = real.slice(top.length + 1).split("/");
  return names.reduce((above, name) => join(above, heldName(above, name)), top);
}

/** The name in the spelling that the disk holds; as it is when it is free. */
function heldName(folder: string, name: string): string {
  const names = namesIn(folder);
  if (names.includes(name)) return name;
  return names.find((held) => held.toLowerCase() === name.toLowerCase()) ?? name;
}

function namesIn(folder: string): string[] {
  try {
    return [...Deno.readDirSync(folder)].map(({ name }) => name);
  } catch {
    return [];
  }
}

/** An open folder that finds its entries in any case. */
function folding(open: OpenFolder, real: string): OpenFolder {
  const held = (name: string) => heldName(real, name);
  const calls: Partial<OpenFolder> = {
    look: (name) => open.look(held(name)),
    folder: (name) => folding(open.folder(held(name)), join(real, held(name))),
    readLink: (name) => open.readLink(held(name)),
    file: (name, how, mode) => open.file(held(name), how, mode),
    makeFolder: (name, mode) => open.makeFolder(held(name), mode),
    makeLink: (name, text) => open.makeLink(held(name), text),
    unnamedFile: () => null,
    addName: (name, to, toName) => open.addName(held(name), to, heldName(to.real, toName)),
    rename(name, to, toName) {
      const target = heldName(to.real, toName);
      const isRespelled = target === held(name) && isSameEntry(open.facts(), to.facts());
      open.rename(held(name), to, isRespelled ? toName : target);
    },
    renameToFree: (name, to, toName) =>
      open.renameToFree(held(name), to, heldName(to.real, toName)),
    removeFile: (name) => open.removeFile(held(name)),
    removeFolder: (name) => open.removeFolder(held(name)),
  };
  return new Proxy(open, {
    get(target, key) {
      const own = Reflect.get(calls, key) ?? Reflect.get(target, key, target);
      return typeof own === "function" ? own.bind(target) : own;
    },
  });
}
