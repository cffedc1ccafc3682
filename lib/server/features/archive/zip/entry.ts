import type { FileFacts } from "../../../core/access/folder_handle.ts";
import { archivedMode } from "../container.ts";

/** A number beyond 32 bits is in the zip64 field; this value marks that. */
export const maxUint32 = 0xffff_ffff;

/** The same for 16 bits. */
export const maxUint16 = 0xffff;

/** Deflating what can't be made smaller adds less than a thousandth. */
const deflateSlack = 1.001;

/** Files up to this size, in bytes, are read whole, so that the header can have their checksum. */
export const maxBufferedBytes = 256 * 1024;

/** Compression method of an entry. */
export type Method = "stored" | "deflated";

/** An entry of a zip, as its records describe it. */
export interface ZipEntry {
  /** In UTF-8; ends with a slash for a folder. */
  name: Uint8Array;
  /** Unix type and permissions. */
  mode: number;
  /** Milliseconds since 1970. */
  modified: number;
  method: Method;
  /** Checksum and size follow the bytes, because they are not known before. */
  hasDescriptor: boolean;
  /** Whether the sizes are in 64 bits. */
  needsZip64: boolean;
  /** CRC-32 of the content. */
  crc: number;
  /** Bytes in the archive, after compression. */
  packedSize: number;
  /** Bytes of the content. */
  size: number;
  /** Offset of its first byte in the archive. */
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
 * @param method the preferred compression
 */
export function fileEntry(
  name: string,
  facts: FileFacts,
  offset: number,
  method: Method,
): ZipEntry {
  const { size } = facts;
  const maxPacked = method === "deflated" ? size * deflateSlack + 64 : size;
  return {
    ...blank(name, facts),
    mode: fileType | archivedMode(facts),
    method,
    hasDescriptor: size > maxBufferedBytes,
    needsZip64: maxPacked >= maxUint32,
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
