import { constants } from "node:os";

/** An error of the operating system, with its word for it: `ENOENT`. */
export class DiskError extends Error {
  override readonly name = "DiskError";
  readonly code: string;

  /** @param call the system's call that failed: `openat2` */
  constructor(code: string, call: string) {
    super(`${code}: ${call}`);
    this.code = code;
  }
}

const words = new Map(Object.entries(constants.errno).map(([word, number]) => [number, word]));

/** The system's word for the number of an error. */
export function errorWord(number: number): string {
  return words.get(number) ?? `E${number}`;
}
