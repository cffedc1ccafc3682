import type { Resource } from "../api_types.ts";
import type { Access } from "../access/access.ts";
import type { EntryHandle } from "../access/entry_handle.ts";
import type { EntryPath } from "../access/path.ts";
import { type EntryFacts, entryOf } from "./entries.ts";
import { listFolder, type ListOptions, type NamesOf } from "./listing.ts";
import type { Steps } from "./steps.ts";

/**
 * Describes a folder with a window of its entries.
 *
 * @throws {DomainError} `forbidden`, `not_found`
 */
export function* describeFolder(
  access: Access,
  path: EntryPath,
  options: ListOptions,
  namesOf?: NamesOf,
): Steps<Resource> {
  const canModify = access.may("modify");
  const folder = entryOf(factsOf(access.stat(path)), canModify);
  const listing = yield* listFolder(access.folder(path), options, canModify, namesOf);
  return { ...folder, ...listing, sorting: options.sorting };
}

/** What a handle knows of its entry. */
export function factsOf(entry: EntryHandle, firstBytes?: Uint8Array): EntryFacts {
  const { name, path, info, isLink, isBroken } = entry;
  return { name, path, info, isLink, isBroken, firstBytes };
}

/** How many entries become bytes at a time. */
const stride = 2_048;

/** The JSON of a folder's description in UTF-8, made piece by piece: it can be many megabytes. */
export function* encodeFolder({ items = [], ...rest }: Resource): Steps<Uint8Array<ArrayBuffer>> {
  const encoder = new TextEncoder();
  const pieces = [encoder.encode(`${JSON.stringify(rest).slice(0, -1)},"items":[`)];
  for (let start = 0; start < items.length; start += stride) {
    const piece = JSON.stringify(items.slice(start, start + stride)).slice(1, -1);
    pieces.push(encoder.encode(start === 0 ? piece : `,${piece}`));
    yield;
  }
  pieces.push(encoder.encode("]}"));
  return join(pieces);
}

function join(pieces: Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
  let offset = 0;
  for (const piece of pieces) {
    whole.set(piece, offset);
    offset += piece.length;
  }
  return whole;
}
