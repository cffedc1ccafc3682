import type { FileFacts } from "../../access/child_file.ts";
import { archivedMode } from "../archived_mode.ts";

/** What a number of 32 bits cannot hold, zip64 says elsewhere; this value stands in its place. */
export const maxUint32 = 0xffff_ffff;

/** The same for 16 bits. */
export const most16 = 0xffff;

/** Deflating what can't be made smaller adds less than a thousandth. */
const deflateSlack = 1.001;

/** Files up to this size, in bytes, are read whole, so that their header can tell their checksum. */
export const mostSmall = 256 * 1024;

/** How the bytes of an entry are kept. */
export type Method = "stored" | "deflated";

/** An entry of a zip, as its records tell of it. */
export interface ZipEntry {
  /** In UTF-8; that of a folder ends with a slash. */
  name: Uint8Array;
  /** Type and permissions, as Unix writes them. */
  mode: number;
  /** Milliseconds since 1970. */
  modified: number;
  method: Method;
  /** Checksum and size stand behind the bytes, as they are not known before. */
  hasDescriptor: boolean;
  /** The sizes are told in 64 bits. */
  needsZip64: boolean;
  /** CRC-32 of the content. */
  crc: number;
  /** Bytes, as they lie in the archive. */
  packedSize: number;
  /** Bytes of the content. */
  size: number;
  /** Where its first byte lies in the archive. */
  offset: number;
}

const encoder = new TextEncoder();
const folderType = 0o040000;
const fileType = 0o100000;

/** An entry for a folder. */
export function folderEntry(name: string, facts: FileFacts, offset: number): ZipEntry {
  const mode = folderType | archivedMode(facts);
  return { ...blank(`${name}/`, facts), mode, offset };
}

/**
 * An entry for a file; checksum and packed size are still to come.
 *
 * @param method how it is meant to be kept
 */
export function fileEntry(
  name: string,
  facts: FileFacts,
  offset: number,
  method: Method,
): ZipEntry {
  const { size } = facts;
  const mostPacked = method === "deflated" ? size * deflateSlack + 64 : size;
  return {
    ...blank(name, facts),
    mode: fileType | archivedMode(facts),
    method,
    hasDescriptor: size > mostSmall,
    needsZip64: mostPacked >= maxUint32,
    packedSize: size,
    size,
    offset,
  };
}

function blank(name: string, { modified }: FileFacts): ZipEntry {
  return {
    name: encoder.encode(name),
    mode: 0,
    modified,
    method: "stored",
    hasDescriptor: false,
    needsZip64: false,
    crc: 0,
    packedSize: 0,
    size: 0,
    offset: 0,
  };
}
