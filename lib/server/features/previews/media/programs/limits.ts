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
  /** All that its files may take on the disk, in bytes. */
  diskBytes?: number;
}

/** The limits unless a test sets others. */
export const readerLimits: Readonly<ReaderLimits> = {
  timeMs: 20_000,
  processorSeconds: 15,
  memoryBytes: 2 ** 30,
  outputBytes: 16 * 2 ** 20,
};

/** The limits of a program that converts Office documents: it is large, and writes files. */
export const officeLimits: Readonly<ReaderLimits> = {
  timeMs: 90_000,
  processorSeconds: 60,
  memoryBytes: 2 * 2 ** 30,
  outputBytes: 64 * 2 ** 20,
  fileBytes: 256 * 2 ** 20,
  diskBytes: 2 ** 30,
};

/** Programs that run at a time, for all threads of the server. */
export const maxConcurrent = 2;
