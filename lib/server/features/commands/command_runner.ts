import type { CommandHost, Config } from "../../core/config/config.ts";
import { DomainError } from "../../../shared/errors.ts";
import { HostConnections, type RunOptions } from "./host_connections.ts";
import type { CommandLimits } from "./limits.ts";
import type { CommandEnd, CommandRequest } from "./protocol.ts";
import { startHost } from "./start_host.ts";

/** Runs commands through the command host: this process has no right to run anything. */
export class CommandRunner {
  readonly #host: CommandHost | null;
  readonly #stop: () => Promise<void>;
  readonly #connections = new HostConnections("commands");

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
  async run(request: CommandRequest, options: RunOptions): Promise<CommandEnd> {
    this.check();
    return await this.#connections.run(this.#host?.socket ?? "", request, options);
  }

  /** Kills all commands. A host that it started itself is gone when the promise resolves. */
  async close(): Promise<void> {
    this.#connections.close();
    await this.#stop();
  }
}
