import { decodeName, hasRawBytes } from "../../../../shared/entry_names.ts";
import { decodeAs, guessEncoding, maxSampleBytes } from "../../../files/text/code_page.ts";
import { loadDetector } from "../../../files/text/read_text.ts";
import { isIn } from "../../../files/text/unicode.ts";
import type { Bytes } from "./archived_entry.ts";
import type { ByteReader } from "./byte_reader.ts";
import { type ReadName, readTar } from "./read_tar.ts";

/** How far into a tar names are collected for a guess, in bytes: decompression takes time. */
const maxSampledTo = 256 * 1024 * 1024;

/**
 * Makes a reader of the names in a tar. Names that are not UTF-8 are in an encoding that nothing
 * tells; it is guessed by all of them once the first one is met, as for zips.
 *
 * @param again opens the tar for another reading
 */
export function nameReader(again: () => Promise<ByteReader>): ReadName {
  let encoding: Promise<string> | null = null;
  return (bytes) => {
    const name = decodeName(bytes);
    if (!isOld(name, bytes)) return name;
    encoding ??= guess(bytes, again);
    return encoding.then((encoding) => decodeAs(encoding, bytes) ?? name);
  };
}

function isOld(name: string, bytes: Bytes): boolean {
  return hasRawBytes(name) && !isIn("utf-8", bytes);
}

async function guess(first: Bytes, again: () => Promise<ByteReader>): Promise<string> {
  const samples = [first.slice()];
  let length = first.length;
  const reader = await again();
  const collect: ReadName = (bytes) => {
    const name = decodeName(bytes);
    if (isOld(name, bytes) && length + bytes.length <= maxSampleBytes) {
      samples.push(bytes.slice());
      length += bytes.length;
    }
    return name;
  };
  for await (const { size } of readTar(reader, collect)) {
    if (reader.position + size > maxSampledTo) break;
  }
  return guessEncoding(samples, await loadDetector());
}
