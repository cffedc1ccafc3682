import type { OpenFile } from "../disk/disk.ts";

/**
 * Reads a whole open file into a new buffer.
 *
 * @param size the expected length
 * @returns null when the file is shorter now
 * @throws the signal's reason
 */
export async function readExactly(
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
