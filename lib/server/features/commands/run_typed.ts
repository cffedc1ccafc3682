import { keptPlaceIn } from "../../../shared/named_roots.ts";
import { setImmediate } from "node:timers/promises";
import { type EntryPath } from "../../../shared/path.ts";
import { DomainError } from "../../../shared/errors.ts";
import type { SignedIn } from "../accounts/auth/session.ts";
import type { Audit } from "../audit/audit.ts";
import type { SettingsStore } from "../settings/settings_store.ts";
import { audit } from "./audit.ts";
import type { Log } from "../../core/log/log.ts";
import type { CommandRunner } from "./command_runner.ts";
import { argumentsFor, hasShellSyntax, splitCommandLine } from "./command_line.ts";
import { exitStatus } from "./exit_status.ts";
import { maxLineLength, maxLines } from "./limits.ts";
import { LineCutter } from "./line_cutter.ts";
import type { CommandEnd } from "./protocol.ts";

/** The services that typed commands use. */
export interface CommandServices {
  settings: SettingsStore;
  runner: CommandRunner;
  audit: Audit;
  log: Log;
}

/** The user who types commands, and the folder they run in. */
export interface CommandPlace {
  signedIn: SignedIn;
  /** The client's address. */
  address: string;
  /** The folder as the user names it. */
  path: EntryPath;
  /** The real paths of that folder, and of the user's scope. */
  folder: string;
  scope: string;
}

/** Callbacks of a typed command. */
export interface Follow {
  /** Receives one line of output. Until its promise settles, the command waits (back-pressure). */
  onLine(line: string): void | Promise<void>;
  /** Kills the command. */
  signal: AbortSignal;
}

/** Lines handled before other requests get their turn. */
const linesPerBatch = 250;

/**
 * Runs one typed command line, if its first word is among the user's commands, passes on its output
 * line by line, and logs the command, whatever the result.
 *
 * @returns how it ended; a `refusal` when it never ran
 */
export async function runTyped(
  services: CommandServices,
  place: CommandPlace,
  line: string,
  follow: Follow,
): Promise<CommandEnd> {
  const start = performance.now();
  const end = await refuseOrRun(services, place, line, follow);
  const { signedIn: { user, settings }, address, path } = place;
  const { level } = settings.audit;
  const ms = performance.now() - start;
  const at = keptPlaceIn(user, path);
  audit(services, { trigger: "command", user, address, path, place: at, level, line, end, ms });
  return end;
}

async function refuseOrRun(
  services: CommandServices,
  place: CommandPlace,
  line: string,
  { onLine, signal }: Follow,
): Promise<CommandEnd> {
  const { folder, scope, signedIn: { user } } = place;
  const cutter = new LineCutter();
  const tooMuch = new AbortController();
  let left = maxLines;
  const handOver = async (lines: string[]) => {
    for (const line of lines) {
      if (left-- === 0) return tooMuch.abort();
      await onLine(line);
      if (left % linesPerBatch === 0) await setImmediate();
    }
  };
  try {
    const { shell } = await services.settings.get();
    refuseLine(line, shell, user.commands);
    const argv = argumentsFor(line, shell);
    const request = { argv, folder, scope, env: {}, queue: `user:${user.id}` };
    const onOutput = (bytes: Uint8Array) => handOver(cutter.push(bytes));
    const end = await services.runner.run(request, {
      onOutput,
      signal: AbortSignal.any([signal, tooMuch.signal]),
    });
    await handOver(cutter.end());
    return end;
  } catch (error) {
    if (signal.aborted) return { status: exitStatus.killed, stopped: "gone" };
    if (tooMuch.signal.aborted) return { status: exitStatus.killed, stopped: "output" };
    if (error instanceof DomainError) return { status: exitStatus.refused, refusal: error.message };
    throw error;
  }
}

/** @throws DomainError `forbidden`, `invalid_option` */
function refuseLine(line: string, shell: string[], allowed: string[]): void {
  if (line.length > maxLineLength) {
    throw new DomainError(
      "invalid_option",
      `Cannot run a line of over ${maxLineLength} characters`,
    );
  }
  const [program] = splitCommandLine(line);
  if (program === undefined || !allowed.includes(program)) {
    const name = program === undefined ? "an empty line" : JSON.stringify(program);
    throw new DomainError("forbidden", `Cannot run ${name}: it is not among your commands`);
  }
  if (shell.length > 0 && hasShellSyntax(line)) {
    throw new DomainError(
      "forbidden",
      "Cannot run the line: it contains a shell metacharacter",
    );
  }
}
