/** Archives written byte by byte, so that they hold what no program writes. */
import { Buffer } from "node:buffer";
import { crc32, deflateRawSync } from "node:zlib";

/** An entry of a zip. */
export interface ZipEntry {
  /** As text in UTF-8, or as bytes. */
  name: string | Uint8Array;
  content?: string | Uint8Array;
  /** Bits of its flags: 1 for encrypted, 0x800 for a name in UTF-8. */
  flags?: number;
  /** 0 stored, 8 deflated. */
  method?: number;
  /** Its type and permission bits, if it was made on Unix. */
  mode?: number;
  /** The size that it pretends to have. */
  size?: number;
  /** The checksum that it pretends to have. */
  sum?: number;
  /** Shares the bytes of the first entry. */
  overlaps?: boolean;
}

/** A zip. @param claimed the number of entries that it pretends to have */
export function zipOf(entries: readonly ZipEntry[], claimed = entries.length): Buffer<ArrayBuffer> {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const entry of entries) {
    const { flags = 0x800, method = 0, mode = 0, overlaps = false } = entry;
    const name = Buffer.from(entry.name as string);
    const content = Buffer.from((entry.content ?? "") as string);
    const packed = method === 8 ? deflateRawSync(content) : content;
    const facts = Buffer.alloc(26);
    facts.writeUInt16LE(20, 0);
    facts.writeUInt16LE(flags, 2);
    facts.writeUInt16LE(method, 4);
    facts.writeUInt16LE(0x5821, 8);
    facts.writeUInt32LE(entry.sum ?? crc32(content), 10);
    facts.writeUInt32LE(packed.length, 14);
    facts.writeUInt32LE(entry.size ?? content.length, 18);
    facts.writeUInt16LE(name.length, 22);
    const start = overlaps ? 0 : at;
    if (!overlaps) {
      parts.push(Buffer.from("PK\x03\x04"), facts, name, packed);
      at += 30 + name.length + packed.length;
    }
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(mode * 2 ** 16, 6);
    tail.writeUInt32LE(start, 10);
    const madeOn = Buffer.from([20, mode ? 3 : 0]);
    directory.push(Buffer.from("PK\x01\x02"), madeOn, facts, tail, name);
  }
  const listed = Buffer.concat(directory);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(Math.min(claimed, 0xffff), 4);
  end.writeUInt16LE(Math.min(claimed, 0xffff), 6);
  end.writeUInt32LE(listed.length, 8);
  end.writeUInt32LE(at, 12);
  return Buffer.concat([...parts, listed, Buffer.from("PK\x05\x06"), end]);
}

/** An entry of a tar. */
export interface TarEntry {
  name: string | Uint8Array;
  content?: string | Uint8Array;
  /** "0" for a file, "5" for a folder, "2" for a link. */
  type?: string;
  /** Where a link leads. */
  link?: string | Uint8Array;
  /** The size that it pretends to have. */
  size?: number;
  /** Seconds since 1970. */
  modified?: number;
}

/** A tar. @param isCut leaves its end away */
export function tarOf(entries: readonly TarEntry[], isCut = false): Buffer<ArrayBuffer> {
  const parts: Buffer[] = [];
  for (const { name, content = "", type = "0", link = "", modified = 1e9, size } of entries) {
    const header = Buffer.alloc(512);
    const bytes = Buffer.from(content as string);
    header.set(Buffer.from(name as string).subarray(0, 100), 0);
    header.write("0000777\0", 100);
    header.write((size ?? bytes.length).toString(8).padStart(11, "0"), 124);
    header.write(modified.toString(8).padStart(11, "0"), 136);
    header.write(" ".repeat(8), 148);
    header.write(type, 156);
    header.set(Buffer.from(link as string).subarray(0, 100), 157);
    header.write("ustar\x0000", 257);
    const sum = header.reduce((all, byte) => all + byte, 0);
    header.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
    parts.push(header, bytes, Buffer.alloc((512 - bytes.length % 512) % 512));
  }
  if (!isCut) parts.push(Buffer.alloc(1024));
  return Buffer.concat(parts);
}
