/** Headers and contents begin at multiples of this, in bytes. */
export const blockSize = 512;

/** The kinds of header that are written: a file, a symlink, a folder, facts about the next entry. */
export type TypeFlag = "0" | "2" | "5" | "x";

/** The fields of a POSIX "ustar" header. */
export interface TarHeader {
  /** Longer names are cut here; the extended header has the whole name. */
  name: string;
  mode: number;
  size: number;
  /** Seconds since 1970. */
  modified: number;
  type: TypeFlag;
  /** The folders before the name, without the last slash; none unless given. */
  prefix?: string;
  /** The target of a symlink. */
  link?: string;
}

/** The largest numbers that 7 and 11 octal digits hold. */
const maxMode = 0o7777777;
export const maxSize = 0o77777777777;

/** The room for a name and for the folders before it in the header, in bytes. */
export const nameSize = 100;
export const prefixSize = 155;

const checksumAt = 148;
const encoder = new TextEncoder();

/**
 * Writes a header. Owner and group stay 0 and without names, to disclose nothing about the server's
 * accounts.
 *
 * @param block 512 bytes of zeros
 */
export function writeHeader(block: Uint8Array, header: TarHeader): void {
  encoder.encodeInto(header.name, block.subarray(0, nameSize));
  writeOctal(block, 100, 7, Math.min(header.mode, maxMode));
  writeOctal(block, 108, 7, 0);
  writeOctal(block, 116, 7, 0);
  writeOctal(block, 124, 11, Math.min(header.size, maxSize));
  writeOctal(block, 136, 11, Math.min(Math.max(header.modified, 0), maxSize));
  block[156] = header.type.charCodeAt(0);
  encoder.encodeInto("ustar\x0000", block.subarray(257));
  writeOctal(block, 329, 7, 0);
  writeOctal(block, 337, 7, 0);
  encoder.encodeInto(header.link ?? "", block.subarray(157, 157 + nameSize));
  encoder.encodeInto(header.prefix ?? "", block.subarray(345, 345 + prefixSize));
  block.fill(0x20, checksumAt, checksumAt + 8);
  let sum = 0;
  for (let index = 0; index < blockSize; index++) sum += block[index] ?? 0;
  writeOctal(block, checksumAt, 6, sum);
  block[checksumAt + 6] = 0;
}

function writeOctal(block: Uint8Array, at: number, digits: number, value: number): void {
  for (let place = at + digits - 1; place >= at; place--) {
    block[place] = 0x30 + value % 8;
    value = Math.floor(value / 8);
  }
}
