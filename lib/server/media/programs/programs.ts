import type { Config, ReaderHost } from "../../config/config.ts";
import { DomainError } from "../../../shared/errors.ts";
import { jsonOf, readFrames, sendJson } from "../../commands/frames.ts";
import type { OpenFile } from "../../disk/disk.ts";
import { findPrograms, mayRunPrograms } from "./find_programs.ts";
import type { ReaderLimits } from "./limits.ts";
import type { FoundPrograms, ReadEnd } from "./protocol.ts";
import { type RecipeName, recipes } from "./recipes.ts";
import { type StartedReaderHost, startReaderHost } from "./start_host.ts";

/** What a program made of a file. */
export interface ReadResult {
  end: ReadEnd;
  output: Uint8Array<ArrayBuffer>;
}

/** Runs programs on open files through their host: this process has no right to run anything. */
export class Programs {
  readonly #installed: FoundPrograms;
  readonly #limits: ReaderLimits | undefined;
  readonly #connections = new Set<Deno.Conn>();
  #host: ReaderHost | null;
  /** The host that this process starts by itself, with the first run. */
  #starting: Promise<StartedReaderHost | null> | null = null;

  /**
   * @param config without a launcher's host, as in development, one is started when it is needed
   */
  constructor(
    config: Pick<
      Config,
      | "root"
      | "reserved"
      | "disableMediaPrograms"
      | "disableThumbnails"
      | "disablePreviewResize"
      | "readerHost"
      | "launched"
    >,
    limits?: ReaderLimits,
  ) {
    this.#host = config.readerHost ?? null;
    this.#limits = limits;
    const isOwn = !config.launched && mayRunPrograms(config);
    this.#installed = this.#host?.programs ?? (isOwn ? findPrograms() : {});
  }

  /** Whether there is a program for something, as far as is known. */
  can(recipe: RecipeName): boolean {
    return !this.#host?.refusal && this.#installed[recipes[recipe].program] !== undefined;
  }

  /**
   * Runs a program on an open file, which stays open until the end.
   *
   * @throws DomainError `not_supported` where it can't be run; the signal's reason
   */
  async run(recipe: RecipeName, file: OpenFile, signal: AbortSignal): Promise<ReadResult> {
    const host = await this.#openHost();
    if (!this.can(recipe) || !host) {
      const { program } = recipes[recipe];
      const reason = host?.refusal ?? "it is not installed";
      throw new DomainError("not_supported", `Cannot run ${program}: ${reason}`);
    }
    signal.throwIfAborted();
    const connection = await this.#connect(host);
    const hangUp = () => this.#close(connection);
    signal.addEventListener("abort", hangUp);
    const parts: Uint8Array<ArrayBuffer>[] = [];
    try {
      await sendJson(connection, "request", { recipe, descriptor: file.descriptorNumber });
      for await (const frame of readFrames(connection)) {
        if (frame.kind === "output") parts.push(new Uint8Array(frame.bytes));
        else return { end: jsonOf<ReadEnd>(frame), output: await new Blob(parts).bytes() };
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    } finally {
      signal.removeEventListener("abort", hangUp);
      this.#close(connection);
    }
    signal.throwIfAborted();
    throw gone();
  }

  /** Kills what runs. A host that it started itself is gone when the promise resolves. */
  async close(): Promise<void> {
    const own = this.#starting;
    this.#starting = null;
    for (const connection of this.#connections) this.#close(connection);
    await (await own)?.stop();
  }

  async #openHost(): Promise<ReaderHost | null> {
    if (this.#host || Object.keys(this.#installed).length === 0) return this.#host;
    this.#starting ??= startReaderHost(this.#installed, this.#limits);
    return this.#host = await this.#starting;
  }

  async #connect({ socket }: ReaderHost): Promise<Deno.Conn> {
    try {
      const connection = await Deno.connect({ transport: "unix", path: socket });
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

function gone(): DomainError {
  return new DomainError("internal", "Cannot run programs: their host is gone");
}
