import { constants } from "node:os";

/** An error of the operating system, with its code: `ENOENT`. */
export class DiskError extends Error {
  override readonly name = "DiskError";
  readonly code: string;

  /** @param call the system call that failed: `openat2` */
  constructor(code: string, call: string) {
    super(`${code}: ${call}`);
    this.code = code;
  }
}

const words = new Map(Object.entries(constants.errno).map(([word, number]) => [number, word]));

/** The code for an error's number. */
export function errorWord(number: number): string {
  return words.get(number) ?? `E${number}`;
}

/** Runs an operation that the file system or the user's rights may refuse; best effort. */
export function tryTo(action: () => void): void {
  try {
    action();
  } catch {
    // Best effort.
  }
}
