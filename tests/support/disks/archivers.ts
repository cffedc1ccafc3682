/** The programs that people unpack archives with: what they make of ours is what counts. */
import { ensurePrograms } from "../run/debian.ts";

/** Each program, with the Debian package that brings it. */
const packageOf = {
  brotli: "brotli",
  bzip2: "bzip2",
  gzip: "gzip",
  lz4: "lz4",
  tar: "tar",
  unzip: "unzip",
  xz: "xz-utils",
  zstd: "zstd",
};

/** A program that unpacks. */
export type Archiver = keyof typeof packageOf;

/** Sees to it that all of them are there. @throws Error that says in one line what to install */
export async function ensureArchivers(): Promise<void> {
  await ensurePrograms(packageOf, "archives");
}

/**
 * Runs one of them in a folder.
 *
 * @param input what it reads
 * @returns what it prints
 * @throws Error with what it complains about, when it is not content
 */
export async function runArchiver(
  program: Archiver,
  args: string[],
  { cwd, input }: { cwd?: string; input?: ReadableStream<Uint8Array> | null } = {},
): Promise<Uint8Array<ArrayBuffer>> {
  const child = new Deno.Command(program, {
    ...{ args, cwd, env: { LC_ALL: "C.UTF-8" } },
    stdin: input ? "piped" : "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const [{ success, stdout, stderr }] = await Promise.all([
    child.output(),
    input?.pipeTo(child.stdin),
  ]);
  if (success) return stdout;
  throw new Error(`${program} ${args.join(" ")}: ${new TextDecoder().decode(stderr)}`);
}
