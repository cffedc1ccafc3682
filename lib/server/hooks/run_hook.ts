import type { OpenCubby } from "../cubby/cubby.ts";
import type { EntryPath } from "../../shared/path.ts";
import type { AuditLevel } from "../../shared/schemas/choices/audit_choices.ts";
import { DomainError } from "../../shared/errors.ts";
import type { HookEvent } from "../settings/settings.ts";
import { audit } from "../commands/audit.ts";
import { argumentsFor, readHookLine } from "../commands/command_line.ts";
import { exitStatus } from "../commands/exit_status.ts";
import type { CommandEnd } from "../commands/protocol.ts";

/** One hooked line, and its variables. */
export interface Hook {
  trigger: HookEvent;
  line: string;
  /** See `Settings.shell`. */
  shell: string[];
  user: { id: number; username: string };
  address: string;
  /** The entry that it is about, as the user names it. */
  path: string;
  /** The same from the root of the server. */
  place: EntryPath;
  /** Reports to the activity log. */
  level: AuditLevel;
  /** Real paths; no destination is "". */
  file: string;
  destination: string;
  scope: string;
}

/** Length of the end of the output that is logged when a line fails, in characters. */
const maxNoteLength = 300;

/**
 * Runs one hooked line in its user's scope and logs it. It never throws: a failure is in the
 * result. A line that ends with `&` returns 0 at once.
 */
export async function runHook(cubby: OpenCubby, hook: Hook): Promise<CommandEnd> {
  const { line, waits } = readHookLine(hook.line);
  // Hooks in the background must not delay hooks that a request waits for.
  const queue = waits ? "hooks" : "hooks in the background";
  const running = runAndNote(cubby, { ...hook, line }, queue);
  return waits ? await running : { status: 0 };
}

async function runAndNote(cubby: OpenCubby, hook: Hook, queue: string): Promise<CommandEnd> {
  const start = performance.now();
  const decoder = new TextDecoder();
  let note = "";
  const onOutput = (bytes: Uint8Array) => {
    note = (note + decoder.decode(bytes, { stream: true })).slice(-maxNoteLength);
  };
  const end = await run(cubby, hook, queue, onOutput);
  const { trigger, user, address, path, place, level, line } = hook;
  audit(cubby, {
    ...{ trigger, user, address, path, place, level, line, end },
    ms: performance.now() - start,
    note: end.status === 0 ? undefined : note.trim(),
  });
  return end;
}

async function run(
  cubby: OpenCubby,
  { line, shell, file, scope, trigger, user, destination }: Hook,
  queue: string,
  onOutput: (bytes: Uint8Array) => void,
): Promise<CommandEnd> {
  const env = {
    FILE: file,
    SCOPE: scope,
    TRIGGER: trigger,
    USERNAME: user.username,
    DESTINATION: destination,
  };
  try {
    const argv = argumentsFor(line, shell);
    return await cubby.runner.run({ argv, folder: scope, scope, env, queue }, { onOutput });
  } catch (error) {
    const failure = error instanceof DomainError ? error.message : String(error);
    return { status: exitStatus.noSandbox, failure };
  }
}
