/** A request as sent to another thread. */
export interface SentRequest {
  method: string;
  url: string;
  headers: [string, string][];
  body: ReadableStream<Uint8Array> | null;
  /** The socket's peer. */
  remoteAddr: Deno.Addr;
  /** Of a WebSocket: names the channel on which its messages come. */
  relay?: string;
}

/** The response as sent back. */
export interface SentResponse {
  status: number;
  statusText: string;
  headers: [string, string][];
  body: ReadableStream<Uint8Array> | null;
}

/** A message to a thread that waits for slow disks. */
export type Order =
  | { id: number; request: SentRequest }
  | { id: number; abort: true }
  | "drain"
  | "stop";

/** A message from one. `alive` is a heartbeat once its application is open, unless it hangs. */
export type Report =
  | { id: number; response: SentResponse }
  | { id: number; failure: string }
  | "alive"
  | "stopped";

/** Interval of heartbeats, in milliseconds. */
export const aliveMs = 250;

/** Timeout of a disk, after which requests that wait for it are refused, in milliseconds. */
export const disksTimeoutMs = 10_000;
