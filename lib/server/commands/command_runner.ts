import type { CommandHost, Config } from "../config/config.ts";
import { DomainError } from "../../shared/errors.ts";
import { jsonOf, readFrames, sendJson } from "./frames.ts";
import type { CommandLimits } from "./limits.ts";
import type { CommandEnd, CommandRequest } from "./protocol.ts";
import { startHost } from "./start_host.ts";

/** Callbacks and signal of a run. */
export interface RunOptions {
  /** Receives output as it arrives. */
  onOutput(bytes: Uint8Array): void | Promise<void>;
  /** Kills the command, with all that it has started. */
  signal?: AbortSignal;
}

/** Runs commands through the command host: this process has no right to run anything. */
export class CommandRunner {
  readonly #host: CommandHost | null;
  readonly #stop: () => Promise<void>;
  readonly #connections = new Set<Deno.Conn>();

  private constructor(host: CommandHost | null, stop = () => Promise.resolve()) {
    this.#host = host;
    this.#stop = stop;
  }

  /**
   * The runner for a configuration. Without a launcher, as in development, it starts a host of its
   * own; when commands are off it runs none.
   */
  static async open(config: Config, limits?: CommandLimits): Promise<CommandRunner> {
    if (config.disableExec) return new CommandRunner(null);
    if (config.commandHost) return new CommandRunner(config.commandHost);
    const host = await startHost(config, limits);
    return new CommandRunner(host, host.stop);
  }

  /**
   * Whether this server runs commands at all.
   *
   * @throws DomainError `forbidden` when they are off; `not_supported` when there is no sandbox
   */
  check(): void {
    if (!this.#host) {
      throw new DomainError("forbidden", "Cannot run commands: they are switched off");
    }
    const { refusal } = this.#host;
    if (refusal === null) return;
    throw new DomainError("not_supported", `Cannot run commands: no sandbox, as ${refusal}`);
  }

  /**
   * Runs one command to its end.
   *
   * @throws DomainError as {@link check}, and `internal` when the host is gone; the signal's reason
   */
  async run(request: CommandRequest, { onOutput, signal }: RunOptions): Promise<CommandEnd> {
    this.check();
    signal?.throwIfAborted();
    const connection = await this.#connect();
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
    throw gone();
  }

  /** Kills all commands. A host that it started itself is gone when the promise resolves. */
  async close(): Promise<void> {
    for (const connection of this.#connections) this.#close(connection);
    await this.#stop();
  }

  async #connect(): Promise<Deno.Conn> {
    try {
      const path = this.#host?.socket ?? "";
      const connection = await Deno.connect({ transport: "unix", path });
      this.#connections.add(connection);
      return connection;
    } catch {
      throw gone();
    }
  }

  #close(connection: Deno.Conn): void {
    if (this.#connections.delete(connection)) connection.close();
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

function gone(): DomainError {
  return new DomainError("internal", "Cannot run commands: their host is gone");
}
