import type { Config } from "../core/config/config.ts";
import { StartRefusal } from "../core/config/refusal.ts";
import { cString, type Libc } from "../core/sandbox/libc.ts";

const [standardOutput, standardError] = [1, 2];
const writeOnly = 0o1;
const create = 0o100;
const append = 0o2000;

/** A log tells paths and user names: only the server's account and its group may read it. */
const logMode = 0o640;

/**
 * Lets this process, and the server that replaces it, write to the log's place. A file is appended
 * to, so that it can be truncated in place (logrotate's `copytruncate`).
 *
 * @throws StartRefusal when the file cannot be written
 */
export function prepareOutput({ log }: Pick<Config, "log">, libc: Libc | null): void {
  if (log === "stdout") return;
  if (!libc) throw new StartRefusal("Cannot use --log here: the system has no C library for it");
  if (log === "stderr") {
    libc.dup2(standardError, standardOutput);
    return;
  }
  const descriptor = libc.openFile(cString(log.file), writeOnly | create | append, logMode);
  if (descriptor < 0) {
    throw new StartRefusal(`Cannot write the log "${log.file}": it cannot be opened for writing`);
  }
  libc.dup2(descriptor, standardOutput);
  libc.dup2(descriptor, standardError);
  libc.close(descriptor);
}
