import { DomainError } from "../../../shared/errors.ts";
import { argumentsFor } from "./command_line.ts";
import type { CommandRunner } from "./command_runner.ts";

/** Timeout of the program, in milliseconds. */
const timeoutMs = 10_000;

/** Most that it may print, in bytes. */
const maxOutputBytes = 64 * 1024;

/** The end of the program that knows the passwords. */
export interface SignInEnd {
  status: number;
  output: string;
  /** Why it could not run, or was killed. */
  failure?: string;
}

/**
 * Runs the program that knows the passwords, in the sandbox of commands and without any files of
 * users: a name and a password reach it by its environment alone. It never throws.
 *
 * @param line its command line; no shell reads it
 */
export async function runSignInProgram(
  runner: CommandRunner,
  line: string,
  env: { USERNAME: string; PASSWORD: string },
): Promise<SignInEnd> {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let left = maxOutputBytes;
  const tooMuch = new AbortController();
  const onOutput = (bytes: Uint8Array) => {
    left -= bytes.length;
    if (left < 0) tooMuch.abort(new DomainError("hook_failed", "it prints too much"));
    else parts.push(new Uint8Array(bytes));
  };
  const timer = setTimeout(
    () => tooMuch.abort(new DomainError("hook_failed", "it takes too long")),
    timeoutMs,
  );
  try {
    const request = {
      argv: argumentsFor(line, []),
      ...{ folder: "/tmp", scope: null, env, queue: "sign-in" },
    };
    const end = await runner.run(request, { onOutput, signal: tooMuch.signal });
    const output = await new Blob(parts).text();
    const failure = end.refusal ?? end.failure ?? (end.stopped && `it was stopped: ${end.stopped}`);
    return { status: end.status, output, ...failure !== undefined && { failure } };
  } catch (error) {
    return { status: 1, output: "", failure: error instanceof Error ? error.message : `${error}` };
  } finally {
    clearTimeout(timer);
  }
}
