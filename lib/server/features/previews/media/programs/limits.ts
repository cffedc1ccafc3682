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
  /** The largest file that it may write, in bytes; none by default. */
  fileBytes?: number;
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

const maxOfficeMs = 90_000;
const maxOfficeProcessorSeconds = 60;
const maxOfficeMemoryBytes = 4 * 2 ** 30;
const maxOfficeOutputBytes = 64 * 2 ** 20;
const maxOfficeFileBytes = 256 * 2 ** 20;

/** The limits of a program that converts Office documents: it is large, and writes files. */
export const officeLimits: Readonly<ReaderLimits> = {
  timeMs: maxOfficeMs,
  processorSeconds: maxOfficeProcessorSeconds,
  memoryBytes: maxOfficeMemoryBytes,
  outputBytes: maxOfficeOutputBytes,
  fileBytes: maxOfficeFileBytes,
};

/** Programs that run at a time, for all threads of the server. */
export const maxConcurrent = 2;
