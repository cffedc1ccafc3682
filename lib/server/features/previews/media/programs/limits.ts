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

const maxMs = 20_000;
const maxProcessorSeconds = 15;
const maxMemoryBytes = 2 ** 30;
const maxOutputBytes = 16 * 2 ** 20;

/** The limits unless a test sets others. */
export const readerLimits: Readonly<ReaderLimits> = {
  timeMs: maxMs,
  processorSeconds: maxProcessorSeconds,
  memoryBytes: maxMemoryBytes,
  outputBytes: maxOutputBytes,
};

/** Programs that run at a time, for all threads of the server. */
export const maxConcurrent = 2;
