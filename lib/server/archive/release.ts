/** Smaller buffers can be parts of a pool that others use too; and they are no burden. */
const leastBytes = 64 * 1024;

/**
 * Frees the memory behind bytes that came from a codec and that nobody else holds, at once: left to
 * the collector, which sees but a small object in front of it, it adds up to a hundred megabytes.
 * The bytes can't be read afterwards.
 */
export function release(bytes: Uint8Array): void {
  const { buffer } = bytes;
  if (buffer instanceof ArrayBuffer && buffer.byteLength >= leastBytes) buffer.transfer(0);
}
