/** A body of `pieces` pieces of 1000 bytes, one each 50 ms. */
export function slowBody(pieces: number): ReadableStream<Uint8Array> {
  let left = pieces;
  return new ReadableStream({
    async pull(controller) {
      if (left-- === 0) return controller.close();
      await new Promise((resolve) => setTimeout(resolve, 50));
      controller.enqueue(new Uint8Array(1000));
    },
  });
}
