/** The resource limits of one command, with all the processes that it starts. */
export interface CommandLimits {
  /** Run time, in milliseconds. */
  timeMs: number;
  /** Output, in bytes. */
  outputBytes: number;
  /** The address space of each of its processes, in bytes. */
  memoryBytes: number;
  /** Concurrent processes and threads. */
  processes: number;
  /** The size of a file that it writes, in bytes. */
  fileBytes: number;
  /** The size of its own temporary folder, which is kept in memory, in bytes. */
  temporaryBytes: number;
}

/** The limits of commands unless a test sets others. */
export const commandLimits: Readonly<CommandLimits> = {
  timeMs: 10 * 60_000,
  outputBytes: 8 * 1024 ** 2,
  memoryBytes: 2 * 1024 ** 3,
  processes: 256,
  fileBytes: 4 * 1024 ** 3,
  temporaryBytes: 64 * 1024 ** 2,
};

/** The longest command line, in characters. */
export const maxLineLength = 8_192;

/** Most lines that a typed command may print: each is a message of its own. */
export const maxLines = 50_000;

/** Concurrent commands per queue; others wait for their turn. */
export const maxConcurrent = 4;
