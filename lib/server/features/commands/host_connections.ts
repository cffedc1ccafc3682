import { DomainError } from "../../../shared/errors.ts";
import { jsonOf, readFrames, sendJson } from "./frames.ts";

/** The receiver of a program's output, and the signal that kills it. */
export interface RunOptions {
  /** Receives output as it arrives. */
  onOutput(bytes: Uint8Array): void | Promise<void>;
  /** Kills the program, with all that it has started. */
  signal?: AbortSignal;
}

/** The server's side of a host: a connection for each program that runs. */
export class HostConnections {
  readonly #what: string;
  readonly #open = new Set<Deno.Conn>();

  /** @param what "commands": for the message when the host is gone */
  constructor(what: string) {
    this.#what = what;
  }

  /**
   * Has the host run one program to its end.
   *
   * @param socket where the host listens
   * @throws DomainError `internal` when the host is gone; the signal's reason
   */
  async run<End>(
    socket: string,
    request: unknown,
    { onOutput, signal }: RunOptions,
  ): Promise<End> {
    signal?.throwIfAborted();
    const connection = await this.#connect(socket);
    const hangUp = () => this.#close(connection);
    signal?.addEventListener("abort", hangUp);
    try {
      await sendJson(connection, "request", request);
      for await (const frame of readFrames(connection)) {
        if (frame.kind === "end") return jsonOf(frame);
        await onOutput(frame.bytes);
      }
    } catch (error) {
      if (!isHangUp(error)) throw error;
    } finally {
      signal?.removeEventListener("abort", hangUp);
      this.#close(connection);
    }
    signal?.throwIfAborted();
    throw this.#goneError();
  }

  /** Hangs up everywhere: kills all programs. */
  close(): void {
    for (const connection of this.#open) this.#close(connection);
  }

  async #connect(path: string): Promise<Deno.Conn> {
    try {
      const connection = await Deno.connect({ transport: "unix", path });
      this.#open.add(connection);
      return connection;
    } catch {
      throw this.#goneError();
    }
  }

  #close(connection: Deno.Conn): void {
    if (this.#open.delete(connection)) connection.close();
  }

  #goneError(): DomainError {
    return new DomainError("internal", `Cannot run ${this.#what}: the command host stopped`);
  }
}

/** Whether an error is thrown by reading or writing after either side has closed. */
function isHangUp(error: unknown): boolean {
  return [
    Deno.errors.BadResource,
    Deno.errors.BrokenPipe,
    Deno.errors.ConnectionReset,
    Deno.errors.Interrupted,
  ].some((kind) => error instanceof kind);
}
