import type { Access } from "../../../core/access/access.ts";
import type { Facts } from "../../../core/disk/facts.ts";
import { Pauses } from "../../../core/concurrency/pauses.ts";
import { namesOf } from "../../../files/listing/describe.ts";
import { listFolder, type ListOptions } from "../../../files/listing/listing.ts";
import type { WindowSource } from "../../../files/listing/describe_window.ts";
import { DomainError } from "../../../../shared/errors.ts";
import { childrenOf, type EntryPath } from "../../../../shared/path.ts";
import type { MediaInfo, Ratios } from "../../../../shared/schemas/media.ts";
import { maxRatios, NO_RATIO } from "../../../../shared/schemas/choices/choices.ts";
import { methodOf } from "../images/preview_method.ts";
import type { FolderFacts } from "./kept_facts.ts";
import type { Media } from "./media.ts";

/** The order of a listing, and how long to read. */
export interface RatioOptions
  extends Pick<ListOptions, "sorting" | "groupBy" | "filter" | "timeZone"> {
  /** For how long to read files of which nothing is known yet, in milliseconds. */
  readMs: number;
  signal: AbortSignal;
}

/** Files that are read at a time. */
const atOnce = 2;

/** Entries examined between two pauses. */
const stride = 256;

/** The narrowest and the widest ratio: others are of broken files, or useless to see. */
const [leastRatio, mostRatio] = [10, 2_000];

/** A picture of which nothing is known yet. */
interface Unread {
  /** In the listing. */
  index: number;
  name: string;
  facts: Facts;
}

/**
 * The ratios of all pictures and videos of a folder, in the order of its listing. What is known
 * costs a look at the entry; others are read, from the first on, for as long as the caller allows.
 *
 * @throws {DomainError} `forbidden` without the permission to download, `not_found`; the signal's
 * reason
 */
export async function ratiosOf(
  media: Media,
  access: Access,
  path: EntryPath,
  { readMs, signal, ...order }: RatioOptions,
): Promise<Ratios> {
  access.need(`Cannot read the pictures of "${path}"`, "download");
  const folder = access.folder(path);
  const known = await media.known(folder.real);
  const pauses = new Pauses(signal, "serving");
  const ratios: number[] = [];
  const unread: Unread[] = [];
  const taken = order.sorting.by === "taken" ? known.takenTimes() : undefined;
  await listFolder(
    folder,
    { ...order, ...(taken && { taken }), limit: 0 },
    {
      add() {},
      async inOrder(source, numbers) {
        for (const [index, number] of numbers.slice(0, maxRatios).entries()) {
          const found = lookIn(source, number, known);
          if (typeof found !== "number") unread.push({ index, ...found });
          ratios.push(typeof found === "number" ? found : 0);
          if (index % stride === 0 && pauses.isDue) await pauses.pause();
        }
      },
    },
    pauses,
    namesOf,
  );

  const end = performance.now() + readMs;
  const childOf = childrenOf(folder.path);
  let next = 0;
  const readSome = async () => {
    for (let file = unread[next]; file && performance.now() < end; file = unread[next]) {
      next++;
      ratios[file.index] = await read(file);
    }
  };
  const read = async ({ name, facts }: Unread) => {
    try {
      return ratioOf(await media.info(access, childOf(name), signal, folder.real));
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      // One that cannot be read is not tried again for each request.
      known.keep(name, facts, {}, false);
      return NO_RATIO;
    }
  };
  try {
    await Promise.all(Array.from({ length: atOnce }, readSome));
  } finally {
    await media.save(folder.real);
  }
  return { ratios, unread: unread.length - next };
}

/** The ratio of an entry, or a picture that is still to be read. */
function lookIn(
  { folder, open, names }: WindowSource,
  number: number,
  known: FolderFacts,
): number | Omit<Unread, "index"> {
  const child = names.child(number);
  const method = child.isFolder ? null : methodOf(child.name);
  if (method === null || method === "page" || method === "cover") return NO_RATIO;
  const facts = folder.stat(child, open);
  if (!facts?.isFile || facts.size === 0) return NO_RATIO;
  const info = known.find(child.name, facts);
  return info ? ratioOf(info) : { name: child.name, facts };
}

/** The width of a picture in percent of its height, within bounds; a square where it is not known. */
export function ratioOf({ width = 0, height = 0 }: MediaInfo): number {
  if (width === 0 || height === 0) return NO_RATIO;
  return Math.max(leastRatio, Math.min(mostRatio, Math.round(100 * width / height)));
}

/**
 * When the pictures and videos of a folder were taken, for the order of its listing. Reads files of
 * which nothing is known, for as long as the caller allows.
 *
 * @returns nothing to those who may not download
 * @throws {DomainError} `not_found`; the signal's reason
 */
export async function takenTimesOf(
  media: Media,
  access: Access,
  path: EntryPath,
  options: Pick<RatioOptions, "readMs" | "signal">,
): Promise<Pick<ListOptions, "taken" | "unread">> {
  if (!access.may("download")) return {};
  const sorting = { by: "name", asc: true } as const;
  const { unread } = await ratiosOf(media, access, path, { ...options, sorting });
  return { taken: (await media.known(access.folder(path).real)).takenTimes(), unread };
}
