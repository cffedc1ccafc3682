import type { Config, ReaderHost } from "../../../../core/config/config.ts";
import type { VideoEncoder } from "../../../../core/config/server_options.ts";
import { DomainError } from "../../../../../shared/errors.ts";
import { joined } from "../../../../../shared/joined.ts";
import { HostConnections } from "../../../commands/host_connections.ts";
import type { OpenFile } from "../../../../core/disk/disk.ts";
import { findPrograms, mayRunPrograms } from "./find_programs.ts";
import type { ReaderLimits } from "./limits.ts";
import type { ProgramEnd } from "../../../commands/protocol.ts";
import { type PlaceRequest, type SegmentEnd, Stopped } from "../streams/segments.ts";
import type { FoundPrograms, HostRequest, ReadRequest } from "./protocol.ts";
import { type RecipeName, type RecipeNumbers, recipes } from "./recipes.ts";
import { type StartedReaderHost, startReaderHost } from "./start_host.ts";

/** The output of a program for a file. */
export interface ReadResult {
  end: ProgramEnd;
  output: Uint8Array<ArrayBuffer>;
}

/** How a program's output is received. */
export interface StreamOptions {
  signal: AbortSignal;
  /** Receives output; until its promise settles, the program waits. */
  receive(bytes: Uint8Array): void | Promise<void>;
  /** Of the file's name, with its dot, for programs that go by it. */
  extension?: string;
  /** The numbers of a recipe that takes some. */
  numbers?: RecipeNumbers;
}

/** A segment to make, and the open file that it is made of. */
export interface SegmentRun extends Required<Pick<ReadRequest, "recipe" | "state" | "segment">> {
  file: OpenFile;
  numbers: RecipeNumbers;
}

/** Runs programs on open files through their host: this process has no right to run anything. */
export class Programs {
  readonly #installed: FoundPrograms;
  readonly #limits: ReaderLimits | undefined;
  readonly #videoEncoder: VideoEncoder | undefined;
  readonly #connections = new HostConnections("programs");
  #host: ReaderHost | null;
  /** The host that this process starts by itself, with the first run. */
  #starting: Promise<StartedReaderHost | null> | null = null;

  /**
   * @param config without a launcher's host, as in development, one is started when it is needed
   */
  constructor(
    config:
      & Pick<
        Config,
        | "root"
        | "reserved"
        | "disableMediaPrograms"
        | "disableThumbnails"
        | "disablePreviewResize"
        | "readerHost"
        | "launched"
      >
      & Partial<Pick<Config, "videoEncoder">>,
    limits?: ReaderLimits,
  ) {
    this.#host = config.readerHost ?? null;
    this.#limits = limits;
    this.#videoEncoder = config.videoEncoder;
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
   * @param extension of the file's name, with its dot, for programs that go by it
   * @throws DomainError `not_supported` where it can't be run; the signal's reason
   */
  async run(
    recipe: RecipeName,
    file: OpenFile,
    signal: AbortSignal,
    extension?: string,
    numbers?: RecipeNumbers,
  ): Promise<ReadResult> {
    const parts: Uint8Array<ArrayBuffer>[] = [];
    const receive = (bytes: Uint8Array) => void parts.push(new Uint8Array(bytes));
    const end = await this.stream(recipe, file, { signal, receive, extension, numbers });
    return { end, output: await new Blob(parts).bytes() };
  }

  /**
   * As {@linkcode run}, and hands on the output as it comes.
   *
   * @throws what `receive` throws; otherwise as {@linkcode run}
   */
  async stream(
    recipe: RecipeName,
    file: OpenFile,
    { signal, receive, extension, numbers }: StreamOptions,
  ): Promise<ProgramEnd> {
    const host = await this.#hostFor(recipe);
    const request: ReadRequest = { recipe, descriptor: file.descriptorNumber, extension, numbers };
    return await this.#connections.run<ProgramEnd>(host.socket, request, {
      onOutput: receive,
      signal,
    });
  }

  /**
   * A segment of a stream, which all threads share.
   *
   * @param request how it is made, of an open file, which stays open meanwhile
   * @param note logs a sentence of the host
   * @throws Stopped; otherwise as {@linkcode run}
   */
  async segment(
    { recipe, file, ...request }: SegmentRun,
    signal: AbortSignal,
    note: (sentence: string) => void,
  ): Promise<Uint8Array<ArrayBuffer>> {
    const host = await this.#hostFor(recipe);
    const parts: Uint8Array<ArrayBuffer>[] = [];
    const { why, failure, log } = await this.#connections.run<SegmentEnd>(
      host.socket,
      { recipe, descriptor: file.descriptorNumber, ...request } satisfies ReadRequest,
      { onOutput: (bytes) => void parts.push(new Uint8Array(bytes)), signal },
    );
    if (log !== undefined) note(log);
    if (why !== undefined) throw new Stopped(why, failure);
    return joined(parts);
  }

  /** How many turns come until a stream is converted; 0 where it does not wait. */
  async placeOf(place: PlaceRequest, signal: AbortSignal): Promise<number> {
    const host = await this.#hostFor("stream480");
    const onOutput = () => {};
    const request: HostRequest = { place };
    const end = await this.#connections.run<{ place: number }>(host.socket, request, {
      ...{ onOutput, signal },
    });
    return end.place;
  }

  /** Kills what runs. A host that it started itself is gone when the promise resolves. */
  async close(): Promise<void> {
    const own = this.#starting;
    this.#starting = null;
    this.#connections.close();
    await (await own)?.stop();
  }

  /** @throws DomainError `not_supported` where a recipe cannot be run */
  async #hostFor(recipe: RecipeName): Promise<ReaderHost> {
    const host = await this.#openHost();
    if (this.can(recipe) && host) return host;
    const { program } = recipes[recipe];
    const reason = host?.refusal ?? "it is not installed";
    throw new DomainError("not_supported", `Cannot run ${program}: ${reason}`);
  }

  async #openHost(): Promise<ReaderHost | null> {
    if (this.#host || Object.keys(this.#installed).length === 0) return this.#host;
    this.#starting ??= startReaderHost(this.#installed, this.#limits, this.#videoEncoder);
    return this.#host = await this.#starting;
  }
}
