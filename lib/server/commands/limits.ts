/** What one command may use, with all that it starts. */
export interface CommandLimits {
  /** How long it may run, in milliseconds. */
  timeMs: number;
  /** How much it may print, in bytes. */
  outputBytes: number;
  /** The address space of each of its processes, in bytes. */
  memoryBytes: number;
  /** How many processes and threads it may have at once. */
  processes: number;
  /** The size of a file that it writes, in bytes. */
  fileBytes: number;
  /** The size of its own temporary folder, which is kept in memory, in bytes. */
  temporaryBytes: number;
}

/** What commands may use unless a test says otherwise. */
export const commandLimits: Readonly<CommandLimits> = {
  timeMs: 10 * 60_000,
  outputBytes: 8 * 1024 ** 2,
  memoryBytes: 2 * 1024 ** 3,
  processes: 256,
  fileBytes: 4 * 1024 ** 3,
  temporaryBytes: 64 * 1024 ** 2,
};

/** The longest command line, in characters. */
export const longestLine = 8_192;

/** How many lines a typed command may print: each is a message of its own. */
export const mostLines = 50_000;

/** How many commands of one queue run at once; others wait for their turn. */
export const mostAtOnce = 4;
