/** The program with its packages and Deno, for one kind of machine: unpack and run. */
import { createHash } from "node:crypto";
import { join } from "node:path";
import { keyOf, type Lock, readKey } from "../npm/manifest.ts";
import { ByteReader } from "../../lib/server/features/archive/extract/byte_reader.ts";
import { readTar } from "../../lib/server/features/archive/extract/read_tar.ts";
import { StartRefusal } from "../../lib/server/core/config/refusal.ts";
import type { Entry } from "./archive.ts";
import {
  type Compiled,
  cratesOf,
  describePackage,
  readCompiled,
  type ShippedPackage,
} from "./licenses.ts";

/** A kind of machine, by the names that npm and Debian have for its processor. */
export interface Target {
  cpu: "x64" | "arm64";
  debian: "amd64" | "arm64";
}

/** What a release is made for: Linux with glibc. */
export const targets: readonly Target[] = [
  { cpu: "x64", debian: "amd64" },
  { cpu: "arm64", debian: "arm64" },
];

/**
 * The archives of Deno on npm, which the lock file does not name: `npm view
 * @deno/linux-x64-glibc@VERSION dist.integrity`.
 */
export const runtimes = {
  version: "2.9.6",
  x64:
    "sha512-3md4TKLCuzsLDmfOoC5KN7NAZaxSVkMgm64vg6foD00JBADCpYS2/5QqXfzgnP5ZQz3iLP9vBQJtEgc116OAoQ==",
  arm64:
    "sha512-poqhoH9B3nYloigEMPT5t8HY+wBeiuea1An5Q7fqgJzP0SYmWsoS/oUnWO/pEiA4ofzIBy1Elt/in58xKtxEoQ==",
} as const;

/** A package beside the bundle. */
export interface NeededPackage {
  name: string;
  version: string;
  integrity: string;
}

/**
 * The packages that the bundle needs on a machine, and Deno: those of the lock file that are for its
 * system, processor and C library.
 *
 * @param names the packages that the bundle imports
 * @throws StartRefusal when two versions of one are needed, which a flat folder cannot hold
 */
export function neededPackages(
  lock: Lock,
  names: Iterable<string>,
  { cpu }: Target,
): NeededPackage[] {
  const keys = new Set<string>();
  for (const name of names) visit(keyOf(name, lock));
  const needed = [...keys].map((key) => ({
    ...readKey(key),
    integrity: lock.npm[key]?.integrity ?? "",
  }));
  const twice = needed.find(({ name }, at) => needed.findIndex((one) => one.name === name) !== at);
  if (twice) throw new StartRefusal(`Cannot lay "${twice.name}" out: two versions are needed`);
  const runtime = { name: `@deno/linux-${cpu}-glibc`, version: runtimes.version };
  return [...needed, { ...runtime, integrity: runtimes[cpu] }];

  function visit(key: string): void {
    const { os, cpu: cpus, dependencies = [], optionalDependencies = [] } = lock.npm[key] ?? {};
    const isForIt = (os?.includes("linux") ?? true) && (cpus?.includes(cpu) ?? true);
    if (keys.has(key) || !isForIt || /linux-?musl|-musl@/.test(key)) return;
    keys.add(key);
    for (const name of [...dependencies, ...optionalDependencies]) visit(keyOf(name, lock));
  }
}

/** Lines of npm's about an error: its code, and what is wrong. */
const maxErrorLines = 3;

/** The content of a package, below its name, and what there is to say of its licence. */
export interface FetchedPackage extends ShippedPackage {
  entries: Entry[];
}

/**
 * Fetches packages by npm, with its settings and cache, and compares each with its digest.
 *
 * @param folder for the archives, empty
 * @throws StartRefusal when npm fails, or an archive is another than that of the lock file
 */
export async function fetchPackages(
  packages: readonly NeededPackage[],
  folder: string,
): Promise<FetchedPackage[]> {
  const { success, stdout, stderr } = await runNpm([
    ...["pack", "--json", "--ignore-scripts", "--loglevel=error", "--pack-destination", folder],
    ...packages.map(({ name, version }) => `${name}@${version}`),
  ], folder);
  const decoder = new TextDecoder();
  if (!success) {
    const lines = decoder.decode(stderr).trim().split("\n").slice(0, maxErrorLines);
    throw new StartRefusal(`Cannot fetch packages: ${lines.join("\n")}`);
  }
  const packed: { name: string; filename: string }[] = JSON.parse(decoder.decode(stdout));
  const fetched: FetchedPackage[] = [];
  const compiled = readCompiled();
  for (const { name, version, integrity } of packages) {
    const file = packed.find((one) => one.name === name)?.filename ?? "";
    const bytes = Deno.readFileSync(join(folder, file.replace("@", "").replace("/", "-")));
    const digest = `sha512-${createHash("sha512").update(bytes).digest("base64")}`;
    if (digest !== integrity) {
      throw new StartRefusal(
        `Cannot pass "${name}@${version}" on: its archive is not the one of the lock file`,
      );
    }
    fetched.push(await readArchive(new Blob([bytes]), compiled));
  }
  return fetched;
}

async function runNpm(args: string[], cwd: string): Promise<Deno.CommandOutput> {
  try {
    return await new Deno.Command("npm", { args, cwd }).output();
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
    const way = "install Node.js with npm, and put it on PATH";
    throw new StartRefusal(`Cannot fetch packages: npm is not there; ${way}`);
  }
}

/** Reads an archive of npm: its one folder, whatever its name, is the package. */
async function readArchive(archive: Blob, compiled: Compiled): Promise<FetchedPackage> {
  const stream = archive.stream().pipeThrough(new DecompressionStream("gzip"));
  const files = new Map<string, { content: Uint8Array<ArrayBuffer>; mode: number }>();
  for await (const { path, kind, mode, content } of readTar(new ByteReader(stream))) {
    if (kind !== "file") continue;
    const bytes = new Uint8Array(await new Response(ReadableStream.from(content())).arrayBuffer());
    const name = path.slice(path.indexOf("/") + 1);
    files.set(name, { content: bytes, mode: name === "deno" && mode ? 0o755 : 0o644 });
  }
  const read = (name: string) => new TextDecoder().decode(files.get(name)?.content);
  const described = describePackage([...files.keys()], read);
  const entries = [...files].filter(([path]) => !unused.test(`${described.name}/${path}`))
    .map(([path, file]) => ({ path: `${described.name}/${path}`, ...file }));
  return { ...described, crates: cratesOf(described, compiled), entries };
}

/** Native code that the program does not load: it takes the WebAssembly beside it. */
const unused = /^imagescript\/codecs\/.*\.node$/;
