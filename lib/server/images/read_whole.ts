import type { OpenFile } from "../disk/disk.ts";

/**
 * Reads an open file from its beginning to its end into memory of its own.
 *
 * @param size how long it should be
 * @returns null when it is shorter by now
 * @throws the signal's reason
 */
export async function readWhole(
  file: OpenFile,
  size: number,
  signal: AbortSignal,
): Promise<Uint8Array<ArrayBuffer> | null> {
  const bytes = new Uint8Array(size);
  for (let done = 0; done < size;) {
    const read = await file.readLater(bytes.subarray(done), done);
    signal.throwIfAborted();
    if (read === 0) return null;
    done += read;
  }
  return bytes;
}
