/** Makes system calls in a Worker of the server process. */
import { makeCalls, type RawCall } from "./system_calls.ts";

const channel: {
  postMessage(errors: number[]): void;
  onmessage: ((event: MessageEvent<{ libc: string; calls: RawCall[] }>) => void) | null;
} = globalThis as never;
channel.onmessage = ({ data: { libc, calls } }) => channel.postMessage(makeCalls(libc, calls));
