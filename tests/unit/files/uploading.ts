/** An upload into a folder of its own, and what tests of it share. */
import { join } from "node:path";
import { plant, temporaryFolder, type Tree } from "../../support/disks/files.ts";
import { enter } from "../core/access/visitors.ts";

/** A folder with a tree in it, and a user who may do all below it. */
export async function setUp(tree: Tree = {}) {
  const folder = await temporaryFolder();
  await plant(folder.path, tree);
  return {
    root: folder.path,
    access: enter(folder.path),
    text: (name: string) => Deno.readTextFileSync(join(folder.path, name)),
    /** Everything below, our own temporary files too. */
    all: () => [...listAll(folder.path)].sort(),
    [Symbol.asyncDispose]: folder[Symbol.asyncDispose],
  };
}

function* listAll(folder: string, prefix = ""): Iterable<string> {
  for (const { name, isDirectory } of Deno.readDirSync(folder)) {
    yield prefix + name;
    if (isDirectory) yield* listAll(join(folder, name), `${prefix}${name}/`);
  }
}

/** Keeps what has the name. */
export const keep = { override: false };
/** Replaces a file of the name. */
export const override = { override: true };
