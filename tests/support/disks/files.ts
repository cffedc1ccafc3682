/** Real folders and files for tests. */
import { createHash } from "node:crypto";
import { join } from "node:path";
import { disk } from "../../../lib/server/core/disk/this_disk.ts";

/** A folder of its own, gone with the block that holds it: `await using folder = …`. */
export interface TemporaryFolder extends AsyncDisposable {
  /** The real path: no links in it. */
  path: string;
}

/**
 * A folder in memory, where thousands of files are made in no time and holes cost nothing to read;
 * undefined where the system has none: then the usual one has to do.
 */
export function memoryPlace(): string | undefined {
  try {
    return Deno.statSync("/dev/shm").isDirectory ? "/dev/shm" : undefined;
  } catch {
    return undefined;
  }
}

/** What {@linkcode plant} writes: text or bytes are a file, an object is a folder. */
export interface Tree {
  [name: string]: string | Uint8Array | Tree;
}

/**
 * Makes an empty temporary folder.
 *
 * @param dir where; in the system's folder for such when left out
 */
export async function temporaryFolder(dir?: string): Promise<TemporaryFolder> {
  const path = await Deno.realPath(await Deno.makeTempDir({ dir, prefix: "cubby-" }));
  return { path, [Symbol.asyncDispose]: () => Deno.remove(path, { recursive: true }) };
}

/** Writes a tree into a folder that exists. */
export async function plant(folder: string, tree: Tree): Promise<void> {
  for (const [name, content] of Object.entries(tree)) {
    const path = join(folder, name);
    if (typeof content === "string") await Deno.writeTextFile(path, content);
    else if (content instanceof Uint8Array) await Deno.writeFile(path, content);
    else {
      await Deno.mkdir(path);
      await plant(path, content);
    }
  }
}

/** The paths of all entries but folders below a folder, from there, sorted. */
export function filesBelow(folder: string, above = ""): string[] {
  return [...Deno.readDirSync(join(folder, above))].flatMap(({ name, isDirectory }) =>
    isDirectory ? filesBelow(folder, `${above}${name}/`) : [above + name]
  ).sort();
}

/** Fills a folder with `count` small files, `entry 00001.txt` and so on. */
export function plantMany(folder: string, count: number): void {
  for (let index = 1; index <= count; index++) {
    const name = `entry ${String(index).padStart(5, "0")}.txt`;
    Deno.writeTextFileSync(join(folder, name), `${index}\n`);
  }
}

/**
 * Fills a folder with `count` names of one file, `0` and so on: made in no time, while a copy of
 * them is as much work as of so many files. At most 65,000, as far as ext4 goes.
 */
export function plantNames(folder: string, count: number): void {
  Deno.writeTextFileSync(join(folder, "0"), "x");
  for (let index = 1; index < count; index++) {
    Deno.linkSync(join(folder, "0"), join(folder, String(index)));
  }
}

/**
 * Makes folders of one name in one another, with a file in the last, by open folders: no path is
 * long enough. Deno's own removal holds a descriptor for each level, so `rm` has to remove them.
 */
export function plantDeep(
  top: string,
  name: string,
  depth: number,
  file: { name: string; text: string },
): void {
  let folder = disk.folder(top);
  for (let level = 0; level < depth; level++) {
    folder.makeFolder(name);
    const below = folder.folder(name);
    folder[Symbol.dispose]();
    folder = below;
  }
  using last = folder;
  using made = last.file(file.name, "create");
  made.write(new TextEncoder().encode(file.text), 0);
}

/**
 * Writes a file of exactly `size` bytes that no compression shrinks and no two places of which are
 * alike, and answers with its SHA-256 in hexadecimal digits.
 */
export async function plantBytes(path: string, size: number): Promise<string> {
  const hash = createHash("sha256");
  const block = crypto.getRandomValues(new Uint8Array(65_536));
  const counter = new DataView(block.buffer);
  using file = await Deno.open(path, { write: true, createNew: true });
  const writer = file.writable.getWriter();
  for (let start = 0; start < size; start += block.length) {
    counter.setFloat64(0, start);
    const part = block.slice(0, Math.min(block.length, size - start));
    hash.update(part);
    await writer.write(part);
  }
  await writer.close();
  return hash.digest("hex");
}

/** Writes a file of `size` bytes of noise, which even a codec that looks megabytes back can't shrink. */
export async function plantNoise(path: string, size: number): Promise<void> {
  using file = await Deno.open(path, { write: true, createNew: true });
  const block = new Uint8Array(65_536);
  for (let left = size; left > 0; left -= block.length) {
    crypto.getRandomValues(block);
    file.writeSync(block.subarray(0, left));
  }
}

/** The SHA-256 of a file in hexadecimal digits. */
export async function sha256(path: string): Promise<string> {
  const hash = createHash("sha256");
  using file = await Deno.open(path);
  for await (const chunk of file.readable) hash.update(chunk);
  return hash.digest("hex");
}
