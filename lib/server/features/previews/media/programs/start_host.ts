import { fileURLToPath } from "node:url";
import type { ReaderHost } from "../../../../core/config/config.ts";
import type { VideoEncoder } from "../../../../core/config/server_options.ts";
import { startHostProcess } from "../../../commands/host_process.ts";
import { type ReaderLimits, readerLimits } from "./limits.ts";
import type { FoundPrograms, ReaderHostSpec } from "./protocol.ts";

/** A host that was started by this process. */
export interface StartedReaderHost extends ReaderHost {
  /** The folder of its socket. */
  folder: string;
  /** Has it kill what runs, and waits for its end. */
  stop(): Promise<void>;
}

const program = fileURLToPath(new URL("./host.ts", import.meta.url));

/**
 * Starts the host of programs that read files, and waits until it listens.
 *
 * @param programs at least one
 * @param videoEncoder the encoder of converted films; libx264 by default
 * @returns null when it does not start
 */
export async function startReaderHost(
  programs: FoundPrograms,
  limits: ReaderLimits = readerLimits,
  videoEncoder?: VideoEncoder,
): Promise<StartedReaderHost | null> {
  const host = await startHostProcess(
    program,
    "media.sock",
    // A small heap: it waits most of its time.
    ["--v8-flags=--max-semi-space-size=1,--optimize-for-size"],
    ({ socket, server }): ReaderHostSpec => ({ socket, server, programs, limits, videoEncoder }),
  );
  if (!host) return null;
  const { socket, folder, greeting: { refusal }, stop } = host;
  return { socket, programs, refusal, folder, stop };
}
