/** Bytes that begin a part of a key in the tables of Deno KV, by its type. */
const tags = { bytes: 0x01, string: 0x02, number: 0x21, no: 0x26, yes: 0x27 } as const;

const utf8 = new TextEncoder();

/**
 * A key as Deno KV has it in its tables, in which the order of the bytes is that of the keys: the
 * encoding of tuples of FoundationDB. Null for a key with a part that the records of this program do
 * not have.
 */
export function storedKey(key: Deno.KvKey): Uint8Array<ArrayBuffer> | null {
  const bytes: number[] = [];
  for (const part of key) {
    if (typeof part === "string" && part.isWellFormed()) {
      pushText(bytes, tags.string, utf8.encode(part));
    } else if (part instanceof Uint8Array) pushText(bytes, tags.bytes, part);
    else if (typeof part === "boolean") bytes.push(part ? tags.yes : tags.no);
    else if (typeof part === "number" && Number.isFinite(part) && !Object.is(part, -0)) {
      bytes.push(tags.number, ...orderedNumber(part));
    } else return null;
  }
  return new Uint8Array(bytes);
}

/** Bytes up to a 0; one that is among them has 0xff behind it. */
function pushText(bytes: number[], tag: number, text: Uint8Array): void {
  bytes.push(tag);
  for (const byte of text) {
    bytes.push(byte);
    if (byte === 0) bytes.push(0xff);
  }
  bytes.push(0);
}

/** The bytes of a double, changed so that they are in the order of the numbers. */
function orderedNumber(number: number): Uint8Array {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setFloat64(0, number);
  const isNegative = number < 0;
  return bytes.map((byte, at) => isNegative ? ~byte : at === 0 ? byte | 0x80 : byte);
}
