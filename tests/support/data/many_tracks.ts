/** A Matroska file of many tracks of sound, without any sound in them. */
import { joined } from "../../../lib/shared/joined.ts";

const text = new TextEncoder();

/** Writes the file. */
export function manyTracks(count: number): Uint8Array<ArrayBuffer> {
  const head = element(0x1a45dfa3, element(0x4282, text.encode("matroska")));
  const tracks = Array.from({ length: count }, (_, at) =>
    element(
      0xae,
      joined([
        element(0xd7, number(at + 1)),
        element(0x73c5, number(at + 1)),
        element(0x83, number(2)),
        element(0x86, text.encode("A_PCM/INT/LIT")),
      ]),
    ));
  const info = element(0x1549a966, element(0x2ad7b1, number(1_000_000)));
  const segment = joined([info, element(0x1654ae6b, joined(tracks))]);
  return joined([head, element(0x18538067, segment)]);
}

/** An element of EBML (RFC 8794), its length in eight bytes. */
function element(id: number, content: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const name = id.toString(16).match(/../g)?.map((pair) => Number.parseInt(pair, 16)) ?? [];
  const length = new Uint8Array(8);
  new DataView(length.buffer).setBigUint64(0, 0x0100000000000000n | BigInt(content.length));
  return joined([new Uint8Array(name), length, content]);
}

function number(value: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, value);
  return bytes;
}
