/** Archives, taken apart by the programs that people have. */
import { createHash } from "node:crypto";
import { join } from "node:path";
import { type Archiver, runArchiver } from "./archivers.ts";
import { readSnappyFrames } from "../data/snappy_frames.ts";

/** What makes a tar of each kind of archive; nothing for a tar as it is. */
const decoders: Record<string, (bytes: Uint8Array<ArrayBuffer>) => Promise<Uint8Array> | null> = {
  "tar": () => null,
  "tar.gz": (bytes) => decode("gzip", bytes),
  "tar.bz2": (bytes) => decode("bzip2", bytes),
  "tar.xz": (bytes) => decode("xz", bytes),
  "tar.lz4": (bytes) => decode("lz4", bytes),
  "tar.zst": (bytes) => decode("zstd", bytes),
  "tar.br": (bytes) => decode("brotli", bytes),
  "tar.sz": (bytes) => readSnappyFrames(bytes),
};

/**
 * Unpacks an archive into an empty folder.
 *
 * @throws Error when the program that is meant for it complains about anything
 */
export async function unpack(
  kind: string,
  bytes: Uint8Array<ArrayBuffer>,
  into: string,
): Promise<void> {
  if (kind === "zip") {
    const file = `${into}.zip`;
    await Deno.writeFile(file, bytes);
    await runArchiver("unzip", ["-q", file, "-d", into]);
    return await Deno.remove(file);
  }
  const tar = await decoders[kind]?.(bytes) ?? bytes;
  // Whoever unpacks with all rights keeps the rights of the files.
  await runArchiver("tar", ["-x", "-p", "--delay-directory-restore"], {
    ...{ cwd: into, input: streamOf(tar) },
  });
}

/** The names in a tar, as `tar` tells them. */
export async function namesInTar(kind: string, bytes: Uint8Array<ArrayBuffer>): Promise<string[]> {
  const tar = await decoders[kind]?.(bytes) ?? bytes;
  const printed = await runArchiver("tar", ["-t", "--quoting-style=literal"], {
    input: streamOf(tar),
  });
  return linesOf(printed);
}

/** The names in a zip, as `unzip` tells them. */
export async function namesInZip(bytes: Uint8Array<ArrayBuffer>): Promise<string[]> {
  const file = await Deno.makeTempFile({ suffix: ".zip" });
  try {
    await Deno.writeFile(file, bytes);
    return linesOf(await runArchiver("unzip", ["-Z1", file]));
  } finally {
    await Deno.remove(file);
  }
}

/** What lies below a folder: type, rights, time in seconds and content, by path, sorted. */
export function treeOf(folder: string, above = ""): string[] {
  const lines: string[] = [];
  for (const { name, isDirectory, isSymlink } of Deno.readDirSync(folder)) {
    const path = join(folder, name);
    const { mode, mtime } = Deno.lstatSync(path);
    const seconds = Math.floor((mtime?.getTime() ?? 0) / 1000);
    const facts = `${((mode ?? 0) & 0o777).toString(8)} ${seconds}`;
    const shown = `${above}/${name}`;
    if (isDirectory) lines.push(`${shown}/ ${facts}`, ...treeOf(path, shown));
    else if (isSymlink) lines.push(`${shown} -> ${Deno.readLinkSync(path)}`);
    else lines.push(`${shown} ${facts} ${digestOf(path)}`);
  }
  return lines.sort();
}

function digestOf(path: string): string {
  return createHash("md5").update(Deno.readFileSync(path)).digest("hex");
}

function decode(program: Archiver, bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  return runArchiver(program, ["-dc"], { input: streamOf(bytes) });
}

function streamOf(bytes: Uint8Array): ReadableStream<Uint8Array> {
  return new Blob([new Uint8Array(bytes)]).stream();
}

function linesOf(bytes: Uint8Array): string[] {
  return new TextDecoder().decode(bytes).split("\n").filter((line) => line !== "");
}
