/** The resource limits of one run of a program that reads a file. */
export interface ReaderLimits {
  /** Time, in milliseconds. */
  timeMs: number;
  /** Time of processors, in seconds. */
  processorSeconds: number;
  /** Address space, in bytes. */
  memoryBytes: number;
  /** Output, in bytes. */
  outputBytes: number;
}

const mostMs = 20_000;
const mostProcessorSeconds = 15;
const mostMemoryBytes = 2 ** 30;
const mostOutputBytes = 16 * 2 ** 20;

/** The limits unless a test sets others. */
export const readerLimits: Readonly<ReaderLimits> = {
  timeMs: mostMs,
  processorSeconds: mostProcessorSeconds,
  memoryBytes: mostMemoryBytes,
  outputBytes: mostOutputBytes,
};

/** Programs that run at a time, for all threads of the server. */
export const mostAtOnce = 2;
