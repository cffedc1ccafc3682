/** Smaller buffers may belong to a shared pool, and cost little. */
const leastBytes = 64 * 1024;

/**
 * Frees the memory of a codec's output at once; the caller must hold the only reference. The
 * garbage collector sees only a small wrapper object, so that up to 100 MB add up. The bytes are
 * detached.
 */
export function release(bytes: Uint8Array): void {
  const { buffer } = bytes;
  if (buffer instanceof ArrayBuffer && buffer.byteLength >= leastBytes) buffer.transfer(0);
}
