/**
 * A JSON answer with the content type the contract names.
 * @param value anything JSON can hold, or bytes that already are JSON in UTF-8
 */
export function jsonAnswer(value: unknown, init: ResponseInit = {}): Response {
  const headers = new Headers(init.headers);
  headers.set("content-type", "application/json; charset=utf-8");
  const body = value instanceof Uint8Array
    ? value as Uint8Array<ArrayBuffer>
    : JSON.stringify(value);
  return new Response(body, { ...init, headers });
}

/** A plain text answer; without text the body is empty. */
export function textAnswer(text = "", init: ResponseInit = {}): Response {
  const headers = new Headers(init.headers);
  headers.set("content-type", "text/plain; charset=utf-8");
  return new Response(text, { ...init, headers });
}
