/** The input of {@linkcode streamOf}: an iterable, or a function that returns one. */
export type StreamSource<Piece> =
  | Iterable<Piece>
  | AsyncIterable<Piece>
  | (() => Iterable<Piece> | AsyncIterable<Piece>);

/** Streams the pieces of an iterable; text is encoded as UTF-8. */
export function streamOf<Piece extends string | Uint8Array>(
  source: StreamSource<Piece>,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const encoder = new TextEncoder();
  const pieces = typeof source === "function" ? source() : source;
  return ReadableStream.from(pieces).pipeThrough(
    new TransformStream<Piece, Uint8Array<ArrayBuffer>>({
      transform(piece, controller) {
        controller.enqueue(
          typeof piece === "string" ? encoder.encode(piece) : new Uint8Array(piece),
        );
      },
    }),
  );
}

/** The init of a response with its content type set; the given init is left as it is. */
export function withContentType(init: ResponseInit | undefined, type: string): ResponseInit {
  const headers = new Headers(init?.headers);
  headers.set("content-type", type);
  return { ...init, headers };
}
