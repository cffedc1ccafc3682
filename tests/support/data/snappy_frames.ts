import { uncompressSync } from "snappy";

const streamIdentifier = 0xff;
const compressed = 0x00;
const uncompressed = 0x01;

/**
 * Reads Snappy's framing format, which Debian has no program for. Every checksum is compared.
 *
 * @throws Error for anything that the format does not allow
 */
export async function readSnappyFrames(bytes: Uint8Array): Promise<Uint8Array> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const parts: Uint8Array<ArrayBuffer>[] = [];
  for (let at = 0; at < bytes.length;) {
    const type = bytes[at];
    const length = view.getUint32(at, true) >>> 8;
    const chunk = bytes.subarray(at + 4, at + 4 + length);
    if (chunk.length < length) throw new Error("Cannot read the frames: the last is cut");
    if (at === 0 && type !== streamIdentifier) throw new Error("Cannot read: no Snappy stream");
    if (type === streamIdentifier) identify(chunk);
    else if (type === compressed || type === uncompressed) {
      const body = Uint8Array.from(chunk.subarray(4));
      const content = type === compressed ? inflate(body) : body;
      if (content.length > 65_536) throw new Error("Cannot read a chunk: it is too long");
      if (maskedCrc(content) !== view.getUint32(at + 4, true)) throw new Error("Wrong checksum");
      parts.push(content);
    } else throw new Error(`Cannot read a chunk of type ${type}`);
    at += 4 + length;
  }
  return await new Blob(parts).bytes();
}

function identify(chunk: Uint8Array): void {
  if (new TextDecoder().decode(chunk) !== "sNaPpY") {
    throw new Error("Cannot read: no Snappy stream");
  }
}

function inflate(body: Uint8Array): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(uncompressSync(body, { asBuffer: true }) as Uint8Array);
}

/** CRC-32C (Castagnoli), turned and shifted as the format has it. */
function maskedCrc(bytes: Uint8Array): number {
  let crc = 0xffff_ffff;
  for (const byte of bytes) crc = (crc >>> 8) ^ (table[(crc ^ byte) & 0xff] ?? 0);
  crc = (crc ^ 0xffff_ffff) >>> 0;
  return ((crc >>> 15 | crc << 17) + 0xa282ead8) >>> 0;
}

const table = Uint32Array.from({ length: 256 }, (_, index) => {
  let value = index;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? value >>> 1 ^ 0x82f6_3b78 : value >>> 1;
  return value;
});
