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

/**
 * The limits of a program that converts a film while it is watched: it is slowed down to the speed
 * of its viewers, so it may run for long.
 */
export const streamLimits: Readonly<ReaderLimits> = {
  timeMs: 6 * 60 * 60_000,
  processorSeconds: 4 * 60 * 60,
  memoryBytes: 3 * 2 ** 30,
  outputBytes: 256 * 2 ** 30,
};

/** Conversions of films that run at a time, for all threads of the server: half of the cores. */
export const maxStreams = Math.max(1, Math.floor(navigator.hardwareConcurrency / 2));

/** Programs that run at a time, for all threads of the server. */
export const maxConcurrent = 2;
