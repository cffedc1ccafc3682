/** Where the races are run: the trees, the links that take their place, and how answers are got. */
import { basename, dirname, join } from "node:path";
import { libc } from "../../../lib/server/core/disk/libc.ts";
import { memoryPlace, plant, temporaryFolder } from "../../support/disks/files.ts";
import type { Operation } from "./operation.ts";
import { changesOf, insideText, lookAt, plainTree, plantSecrets, secretIn } from "./trees.ts";

/** What the users' folders are called in the root; the links lie there as well. */
export const scope = "home/bea";

/** The swapped folder of most operations: a path in the scope. */
export const swapped = "/hold/door";

/** All swapped folders: that one, a small one, and one whose parent is removed again and again. */
const places = { below: swapped, above: "/high/door", around: "/around/door" } as const;

/** Where an operation works, as seen from the swapped folder. */
export type Place = keyof typeof places;

/** A folder and a link that change places. */
export type Pair = [folder: string, link: string];

/** Who asks. */
export interface Caller {
  /** Where a server listens: `http://127.0.0.1:49152`. */
  url: string;
  /** Of a user whose scope is {@linkcode scope}. */
  token?: string;
  /** The hashes of shares: of the folder that holds the swapped one, and of one in that. */
  shares?: { above: string; below: string };
  /** Of "carl", with whom folders are shared. */
  recipient?: string;
}

/** An answer, read to its end. */
export interface Answer {
  status: number;
  ok: boolean;
  /** The body, read as Latin-1; as much as came when it broke off. */
  text: string;
  bytes: Uint8Array<ArrayBuffer>;
  /** Where the entry is now; null when the answer does not say. */
  location?: string | null;
  /** What it tells of the outside. */
  leak: string | null;
}

/** The trees of a race, and what is looked at before and after it. */
export interface Stage extends AsyncDisposable {
  /** The user's folder. */
  home: string;
  /** A path to the swapped folder itself, wherever it is at the moment. */
  inside: string;
  caller: Caller;
  /** What changes places: the folder of each place with links to each target. */
  pairs: Record<Place, Pair[]>;
  /** Lays out afresh the folder that is removed, and its links, whatever has become of them. */
  renew(): Promise<void>;
  /** Asks the server. */
  call(method: string, path: string, init?: RequestInit): Promise<Answer>;
  /** All that lies outside, and what of the outside has come into the user's folder. */
  look(): string[];
  /** What has changed outside, or has come in, since an earlier look. */
  changes(before: string[]): string[];
}

/** What the races are run in, once its caller is known. */
export interface StageOptions {
  root: string;
  /** The folder that holds the store. */
  data?: string;
  operations: readonly Operation[];
  caller: Caller;
}

/** Plants the trees of all operations into a root, and the secrets around them. */
export async function openStage(options: StageOptions): Promise<Stage> {
  const { root, data, operations, caller } = options;
  const home = join(root, scope);
  const other = join(root, "home/other");
  // On another disk, where there is one: how full it is tells them apart.
  const outside = await temporaryFolder(memoryPlace());
  const tree = Object.fromEntries(
    operations.map(({ name, inside }) => [name, inside ?? plainTree]),
  );
  const decoys = { "cubby.kv": insideText, "cubby.kv-wal": insideText };
  await Deno.mkdir(other);
  for (const folder of [other, outside.path]) await plantSecrets(folder, { ...tree, ...decoys });
  if (data) await plantSecrets(data, tree);
  await plant(home, { hold: { door: { ...tree, ...decoys } }, high: { door: plainTree } });
  await plant(home, { "own.txt": insideText, own: plainTree, copies: {}, moving: {}, moved: {} });

  const links = join(root, "links");
  await Deno.mkdir(links);
  const targets = [other, outside.path, ...data ? [data] : []];
  const linkAll = async (all: Pair[]) => {
    for (const [index, [, link]] of all.entries()) await Deno.symlink(targets[index] ?? "", link);
  };
  const pairs: Record<Place, Pair[]> = { below: [], above: [], around: [] };
  for (const place of ["below", "above", "around"] as const) {
    const folder = join(home, places[place]);
    pairs[place] = targets.map((_, index) => [folder, join(links, `${place} ${index}`)]);
    await linkAll(pairs[place]);
  }
  const around = dirname(join(home, places.around));
  const descriptor = openFolder(join(home, swapped));
  const client = Deno.createHttpClient({ allowHost: true });

  function look(): string[] {
    return [...targets.flatMap((folder) => lookAt(folder)), ...secretsAt(home)];
  }

  return {
    ...{ home, caller, pairs, look },
    inside: `/proc/self/fd/${descriptor}`,
    async renew() {
      for (const [, link] of pairs.around) await removeTree(link);
      await removeTree(around);
      const fresh = join(links, "fresh");
      await Deno.mkdir(fresh);
      await plant(fresh, { door: plainTree, "a.txt": insideText });
      await Deno.rename(fresh, around);
      await linkAll(pairs.around);
    },
    call: (method, path, init) => ask(caller, client, method, path, init),
    changes: (before) => changesOf(before, look()),
    async [Symbol.asyncDispose]() {
      client.close();
      libc?.close(descriptor);
      await outside[Symbol.asyncDispose]();
    },
  };
}

/** Opens a folder for good: no exchange of names leads its descriptor elsewhere. */
function openFolder(path: string): number {
  const descriptor = libc?.openat(-100, new TextEncoder().encode(`${path}\0`), 0o200000, 0) ?? -1;
  if (descriptor < 0) throw new Error(`Cannot open "${path}": the C library can't be used`);
  return descriptor;
}

/** Removes a tree that changes places meanwhile: entries may come and go while it goes. */
export async function removeTree(path: string): Promise<void> {
  for (let attempt = 0;; attempt++) {
    try {
      return await Deno.remove(path, { recursive: true });
    } catch (error) {
      if (error instanceof Deno.errors.NotFound && !isThere(path)) return;
      if (attempt === 50) throw error;
    }
  }
}

/** Whether there is an entry of that path. */
export function isThere(path: string): boolean {
  try {
    Deno.lstatSync(path);
    return true;
  } catch {
    return false;
  }
}

async function ask(
  { url, token }: Caller,
  client: Deno.HttpClient,
  method: string,
  path: string,
  init: RequestInit = {},
): Promise<Answer> {
  const headers = { accept: "application/json", ...token ? { "x-auth": token } : {} };
  const settings: RequestInit & { client: Deno.HttpClient } = { method, headers, ...init, client };
  const answer = await fetch(`${url}${path}`, settings);
  const { bytes, isWhole } = await readAll(answer);
  const text = new TextDecoder("latin1").decode(bytes);
  const told = [...answer.headers].map(([name, value]) => `${name}: ${value}`).join("\n");
  const leak = secretIn(text) ?? secretIn(told);
  const location = answer.headers.get("content-location");
  return { status: answer.status, ok: answer.ok && isWhole, text, bytes, location, leak };
}

async function readAll(answer: Response) {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let isWhole = true;
  try {
    for await (const chunk of answer.body ?? []) chunks.push(chunk);
  } catch {
    // An archive breaks off when what it packs changes.
    isWhole = false;
  }
  return { bytes: await new Blob(chunks).bytes(), isWhole };
}

/** Files at or below a path that hold something of the outside. Links are not followed. */
export function secretsAt(path: string): string[] {
  const { isDirectory, isFile } = Deno.lstatSync(path);
  if (isDirectory) {
    return [...Deno.readDirSync(path)].flatMap(({ name }) => secretsAt(join(path, name)));
  }
  const text = isFile ? new TextDecoder("latin1").decode(Deno.readFileSync(path)) : "";
  const leak = secretIn(basename(path)) ?? secretIn(text);
  return leak === null ? [] : [`brought in: "${path}": ${leak}`];
}
