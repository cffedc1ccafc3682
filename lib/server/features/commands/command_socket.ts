import type { Sessions } from "../accounts/auth/sessions.ts";
import { type CommandPlace, type CommandServices, runTyped } from "./run_typed.ts";
import { delay } from "../../../shared/delay.ts";
import type { CommandEnd } from "./protocol.ts";

/** The services that sockets of commands use. */
export interface SocketServices extends CommandServices {
  sessions: Sessions;
}

/** Interval of the checks whether the session is still valid, in milliseconds. */
const sessionCheckMs = 500;

/** High-water mark of the send buffer, in bytes; above it the command waits (back-pressure). */
const maxUnsentBytes = 1024 ** 2;

/** Interval of the checks whether the buffer has drained, in milliseconds. */
const pauseMs = 20;

/** WebSocket status codes (RFC 6455, 7.4.1). */
const closed = { normally: 1000, forPolicy: 1008, byFailure: 1011 };

/**
 * Serves a WebSocket on which a user types one command: the first message that is not blank is the
 * line. Its output is sent as one message per line; then the socket is closed, normally with the
 * exit status as the reason, or for policy (1008) when the line is refused or the session has
 * ended. When the socket closes or the session ends, the command is killed with all it has started.
 */
export function serveCommandSocket(
  socket: WebSocket,
  services: SocketServices,
  place: CommandPlace,
): void {
  const gone = new AbortController();
  let isRunning = false;
  let checking = Promise.resolve();

  async function run(line: string): Promise<void> {
    const onLine = (text: string) => send(socket, text, gone.signal);
    const end = await runTyped(services, place, line, { onLine, signal: gone.signal });
    const last = endNoteOf(end);
    if (last !== null) await onLine(last);
    // Stop when the socket is closed.
    clearInterval(watch);
    await checking;
    if (end.refusal !== undefined) close(socket, closed.forPolicy, "refused");
    else close(socket, closed.normally, String(end.status));
  }

  async function checkSession(): Promise<void> {
    if (await services.sessions.isAlive(place.signedIn)) return;
    gone.abort();
    close(socket, closed.forPolicy, "session ended");
  }

  function fail(error: unknown): void {
    services.log.line(`Failed: a command on ${JSON.stringify(place.path)}: ${error}`, "error");
    close(socket, closed.byFailure, "failed");
  }

  const watch = setInterval(() => {
    checking = checkSession().catch(fail);
  }, sessionCheckMs);
  socket.onmessage = ({ data }) => {
    const line = typeof data === "string" ? data.trim() : "";
    if (isRunning || line === "") return;
    isRunning = true;
    // The session may have ended a moment ago.
    checkSession().then(() => gone.signal.aborted ? undefined : run(line)).catch(fail);
  };
  socket.onclose = () => {
    clearInterval(watch);
    gone.abort();
  };
  // A close event follows.
  socket.onerror = (event) => event.preventDefault();
}

/** A last line about an end that the output does not explain, or null. */
function endNoteOf({ stopped, refusal, failure }: CommandEnd): string | null {
  if (stopped === "time") return "Stopped: it ran too long";
  if (stopped === "output") return "Stopped: it printed too much";
  if (failure !== undefined) return "Cannot run the command: its sandbox could not be created";
  return refusal ?? null;
}

async function send(socket: WebSocket, text: string, signal: AbortSignal): Promise<void> {
  while (socket.bufferedAmount > maxUnsentBytes && !signal.aborted) {
    await delay(pauseMs);
  }
  if (socket.readyState === WebSocket.OPEN) socket.send(text);
}

function close(socket: WebSocket, code: number, reason: string): void {
  if (socket.readyState === WebSocket.OPEN) socket.close(code, reason);
}
