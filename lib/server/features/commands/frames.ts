/** A message between the server and the command host: its kind, and bytes or JSON. */
export interface Frame {
  kind: FrameKind;
  bytes: Uint8Array;
}

/** The server sends one `request`; any number of `output` and one `end` answer it. */
export type FrameKind = "request" | "output" | "end";

const kinds: readonly FrameKind[] = ["request", "output", "end"];
const headBytes = 5;

/** The longest frame, in bytes; real ones are far shorter. */
const maxBytes = 1024 ** 2;

/** Sends one frame. */
export async function sendFrame(to: Deno.Conn, kind: FrameKind, bytes: Uint8Array): Promise<void> {
  const frame = new Uint8Array(headBytes + bytes.length);
  frame[0] = kinds.indexOf(kind);
  new DataView(frame.buffer).setUint32(1, bytes.length);
  frame.set(bytes, headBytes);
  for (let sent = 0; sent < frame.length;) sent += await to.write(frame.subarray(sent));
}

/** Sends one frame of JSON. */
export async function sendJson(to: Deno.Conn, kind: FrameKind, value: unknown): Promise<void> {
  await sendFrame(to, kind, new TextEncoder().encode(JSON.stringify(value)));
}

/** The JSON that a frame carries. */
export function jsonOf<T>(frame: Frame): T {
  return JSON.parse(new TextDecoder().decode(frame.bytes));
}

/** The frames that come in, until the other side closes. */
export async function* readFrames(from: Deno.Conn): AsyncGenerator<Frame> {
  const head = new Uint8Array(headBytes);
  while (await fill(from, head)) {
    const kind = kinds[head[0] ?? kinds.length];
    const length = new DataView(head.buffer).getUint32(1);
    if (kind === undefined || length > maxBytes) {
      throw new Error("Cannot read a frame: unknown kind");
    }
    const bytes = new Uint8Array(length);
    if (!await fill(from, bytes)) return;
    yield { kind, bytes };
  }
}

async function fill(from: Deno.Conn, bytes: Uint8Array): Promise<boolean> {
  for (let done = 0; done < bytes.length;) {
    const count = await from.read(bytes.subarray(done));
    if (count === null) return false;
    done += count;
  }
  return true;
}
