import type { EntryPath } from "../../../shared/path.ts";
import type { Api } from "../../base/api/api.ts";
import { type Failure, failure, type Result } from "../../../shared/result.ts";

/**
 * The result of a command: `exited` with a status; `refused`, the last line says why; `stopped` by
 * the user; `session` expired; `broken` connection; `failed` before it began.
 */
export type CommandEnd =
  | { is: "exited"; status: number }
  | { is: "refused" | "stopped" | "session" | "broken" }
  | { is: "failed"; why: Failure };

/** The calls that a command needs. */
export interface CommandApi extends Pick<Api, "ticket"> {
  /** The WebSocket address for commands in a folder. */
  commandAddress(at: EntryPath, ticket: string): string;
  /** The reason why no command can be run in a folder; `invalid_option` when there is none. */
  tryCommand(at: EntryPath): Promise<Result<void>>;
}

/** Makes these calls by the page's API client. */
export function commandCalls(api: Api): CommandApi {
  return {
    ticket: (at, use) => api.ticket(at, use),
    commandAddress(at, ticket) {
      const address = api.addressOf("GET /api/command/{path}", {
        params: { path: at },
        query: { auth: ticket },
      });
      return new URL(address, globalThis.location?.href).href.replace(/^http/, "ws");
    },
    tryCommand: (at) => api.calls.done("GET /api/command/{path}", { params: { path: at } }),
  };
}

/** A command to run. */
export interface Command {
  /** The folder that it runs in. */
  at: EntryPath;
  line: string;
  onLine: (text: string) => void;
  /** Kills it. */
  signal: AbortSignal;
}

/** WebSocket status codes (RFC 6455, 7.4.1) that the server closes with. */
const CLOSED = { normally: 1000, forPolicy: 1008, byFailure: 1011 };

/**
 * Runs a command on the server, to its end. The address carries a ticket of a minute, for this
 * folder alone; closing the socket kills the command.
 */
export async function runCommand(api: CommandApi, command: Command): Promise<CommandEnd> {
  const { at, line, onLine, signal } = command;
  const ticket = await api.ticket(at, "command");
  if (signal.aborted) return { is: "stopped" };
  if (!ticket.ok) return { is: "failed", why: ticket };

  const socket = new WebSocket(api.commandAddress(at, ticket.value));
  const { promise: closed, resolve } = Promise.withResolvers<CloseEvent>();
  let wasOpen = false;
  socket.onopen = () => {
    wasOpen = true;
    socket.send(line);
  };
  socket.onmessage = ({ data }) => signal.aborted || onLine(String(data));
  socket.onclose = resolve;
  const stop = () => socket.close();
  signal.addEventListener("abort", stop);
  const { code, reason } = await closed;
  signal.removeEventListener("abort", stop);

  if (signal.aborted) return { is: "stopped" };
  if (!wasOpen) return { is: "failed", why: await reasonFor(api, at) };
  if (code === CLOSED.normally) return { is: "exited", status: Number(reason) || 0 };
  if (code === CLOSED.forPolicy) return { is: reason === "refused" ? "refused" : "session" };
  if (code !== CLOSED.byFailure) return { is: "broken" };
  return { is: "failed", why: failure(500, "internal", "The command failed") };
}

/**
 * Browsers do not expose why a WebSocket was refused; a plain request to the same address does.
 */
async function reasonFor(api: CommandApi, at: EntryPath): Promise<Failure> {
  const answer = await api.tryCommand(at);
  const isUnexplained = answer.ok || answer.code === "invalid_option";
  return isUnexplained ? failure(0, "offline", "The connection could not be made") : answer;
}
