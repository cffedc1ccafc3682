/** Requests as bytes on a socket: what `fetch` would mend, complete or refuse to send. */

/** Where a server listens. */
export interface Listener {
  hostname: string;
  port: number;
  /** Has the connection use TLS: the certificates to trust, for `localhost`. */
  caCerts?: string[];
}

/** What came back on the socket. */
export interface RawAnswer {
  status: number;
  headers: Headers;
  body: string;
}

/**
 * Sends pieces of text or bytes and reads until the server closes the socket, speaks another
 * protocol from here on or, with a `content-length`, the answer is whole.
 */
export async function sendRaw(
  to: Listener,
  ...pieces: (string | Uint8Array<ArrayBuffer>)[]
): Promise<RawAnswer> {
  using socket = await connect(to);
  for (const piece of pieces) await writeWhole(socket, piece);
  return await readAnswer(socket);
}

/**
 * Sends the beginning of a request and hangs up without waiting for an answer.
 *
 * @param pauseMs how long the server may work on what came before the line goes dead
 */
export async function sendAndHangUp(
  to: Listener,
  pauseMs: number,
  ...pieces: (string | Uint8Array<ArrayBuffer>)[]
): Promise<void> {
  using socket = await Deno.connect(to);
  for (const piece of pieces) await writeWhole(socket, piece);
  await new Promise((resolve) => setTimeout(resolve, pauseMs));
}

/** The head of a request, with its empty line. */
export function requestHead(
  method: string,
  path: string,
  headers: Record<string, string | number> = {},
): string {
  const lines = [`${method} ${path} HTTP/1.1`, "host: cubby.test"];
  for (const [name, value] of Object.entries(headers)) lines.push(`${name}: ${value}`);
  return lines.join("\r\n") + "\r\n\r\n";
}

async function connect({ hostname, port, caCerts }: Listener): Promise<Deno.Conn> {
  if (!caCerts) return await Deno.connect({ hostname, port });
  return await Deno.connectTls({ hostname: "localhost", port, caCerts });
}

/** Sends a text or bytes whole. */
export async function writeWhole(socket: Deno.Conn, piece: string | Uint8Array): Promise<void> {
  const bytes = typeof piece === "string" ? new TextEncoder().encode(piece) : piece;
  for (let done = 0; done < bytes.length;) done += await socket.write(bytes.subarray(done));
}

/** Reads an answer: to the end of the socket, unless it has a `content-length`. */
export async function readAnswer(socket: Deno.Conn): Promise<RawAnswer> {
  const decoder = new TextDecoder();
  const chunk = new Uint8Array(16 * 1024);
  let text = "";
  while (!isWhole(text)) {
    const read = await socket.read(chunk).catch(() => null);
    if (read === null) break;
    text += decoder.decode(chunk.subarray(0, read), { stream: true });
  }
  const [head = "", ...rest] = text.split("\r\n\r\n");
  const [statusLine = "", ...lines] = head.split("\r\n");
  const headers = new Headers();
  for (const line of lines) headers.append(line.split(":", 1)[0] ?? "", line.replace(/^.*?:/, ""));
  return { status: Number(statusLine.split(" ")[1]), headers, body: rest.join("\r\n\r\n") };
}

function isWhole(text: string): boolean {
  const end = text.indexOf("\r\n\r\n");
  if (end === -1) return false;
  if (/^HTTP\/1\.1 101 /.test(text)) return true;
  const length = /^content-length: *(\d+)/im.exec(text.slice(0, end))?.[1];
  return length !== undefined && new TextEncoder().encode(text.slice(end + 4)).length >= +length;
}
