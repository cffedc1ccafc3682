import type { Access } from "../../core/access/access.ts";
import { realChild } from "../../core/disk/real_path.ts";
import { type EntryPath, nameOf } from "../../../shared/path.ts";
import type { WriteHandle } from "../../core/access/write_handle.ts";
import type { Config } from "../../core/config/config.ts";
import type { Audit } from "../audit/audit.ts";
import type { Locks } from "../dav/locks.ts";
import type { Log } from "../../core/log/log.ts";
import type { CommandRunner } from "./command_runner.ts";
import { DomainError } from "../../../shared/errors.ts";
import { serverPath } from "../audit/server_path.ts";
import { type ActivityDetails, visitorInLog } from "../audit/record.ts";
import type { User } from "../accounts/users/user.ts";
import type { AuditAction, AuditLevel } from "../../../shared/schemas/choices/audit_choices.ts";
import type { SignedIn } from "../accounts/auth/session.ts";
import type { CommandEnd } from "./protocol.ts";
import { refuseLocked } from "./refuse_locked.ts";
import type { HookEvent } from "../../../shared/schemas/choices/choices.ts";
import type { SettingsStore } from "../settings/settings_store.ts";
import { audit } from "./audit.ts";
import { argumentsFor, readHookLine } from "./command_line.ts";
import { exitStatus } from "./exit_status.ts";

/** The events that command lines can be hooked before and after. */
export type HookedEvent = "save" | "copy" | "rename" | "upload" | "delete";

/** The services that hooks use. */
export interface HookServices {
  config: Config;
  settings: SettingsStore;
  /** The locks of WebDAV clients and of the office server; null while there are neither. */
  locks: Locks | null;
  runner: CommandRunner;
  audit: Audit;
  log: Log;
  /** Takes entries that have come, changed or gone. @param paths as the one who changed them has them */
  notifyChanged(access: Access, ...paths: EntryPath[]): Promise<void>;
}

/** The subject of an operation; `Result` is what the operation returns. */
export interface HookSubject<Result = unknown> {
  signedIn: Pick<SignedIn, "user" | "settings">;
  /** The client's address. */
  address: string;
  access: Access;
  /** The user who acts, where it is another one, by a share. */
  by?: Pick<User, "id" | "username">;
  /** The name of the visitor without an account who acts, by a share; "" for none. */
  visitor?: string;
  /** The share by which another one does it: its hash. */
  share?: string;
  /** The request for files by which a visitor does it in the user's name. */
  request?: string;
  /** Further details for listeners of the activity log. */
  details?: ActivityDetails;
  /** The name of the action in the activity log, where the event has several. */
  action?: AuditAction;
  /** The entry that is saved, copied, renamed, uploaded or deleted. */
  path: EntryPath;
  /**
   * Its real path, after the gate's check; computed only when a line is hooked.
   *
   * @throws DomainError when the operation is not allowed
   */
  file(): string;
  /**
   * The real path of the destination of a copy or move.
   *
   * @param result given once the operation is done
   */
  destination?(result?: Result): string;
  /** Locks of WebDAV were checked, with the tokens that the request brings. */
  isLockChecked?: boolean;
}

/** An event and its subject, without the user and the address. */
export type Hooked<T> = { event: HookedEvent } & Omit<HookSubject<T>, "signedIn" | "address">;

/**
 * Runs an operation between the lines that are hooked before and after it. Values reach a line
 * through its environment alone: FILE, SCOPE, TRIGGER, USERNAME and DESTINATION.
 *
 * A failing line before it stops the operation; a failing line after it is logged and undoes
 * nothing. Lines that end with `&` run in the background.
 *
 * @throws DomainError `locked`; `hook_failed` when a line refuses, `internal` when one cannot be run;
 * and errors of the operation
 */
export async function withHooks<T>(
  services: HookServices,
  event: HookedEvent,
  subject: HookSubject<T>,
  operation: () => Promise<T>,
): Promise<T> {
  await refuseLocked(services, event, subject);
  const follow = async () => {
    const { access, path } = subject;
    const result = await operation();
    const arrived = isPath(result) ? result : undefined;
    await services.notifyChanged(access, ...arrived === undefined ? [path] : [arrived, path]);
    recordActivity(services, event, subject, arrived);
    return result;
  };
  if (services.config.disableExec) return await follow();
  const { commands, shell } = await services.settings.get();
  const before = commands[`before_${event}`];
  const after = commands[`after_${event}`];
  if (before.length === 0 && after.length === 0) return await follow();

  const hook = hookOf(subject, shell);
  for (const line of before) {
    const end = await runHook(services, { ...hook, trigger: `before_${event}`, line });
    if (end.status !== 0) throw hookError(`Cannot ${event} "${subject.path}"`, end);
  }
  const result = await follow();
  hook.destination = subject.destination?.(result) ?? "";
  for (const line of after) await runHook(services, { ...hook, trigger: `after_${event}`, line });
  return result;
}

const actions = {
  save: "save",
  copy: "copy",
  rename: "move",
  upload: "upload",
  delete: "delete",
} as const satisfies Record<HookedEvent, AuditAction>;

/** Every change of an entry by a user ends here, be it of a request or of a job. */
function recordActivity(
  { audit }: HookServices,
  event: HookedEvent,
  subject: HookSubject,
  arrived: EntryPath | undefined,
): void {
  const { signedIn: { user, settings }, by = user, address, access, path } = subject;
  const { action, share, request, details, visitor } = subject;
  const isTransfer = event === "copy" || event === "rename";
  const activity = {
    action: action ?? actions[event],
    user: visitor === undefined ? { id: by.id, name: by.username } : visitorInLog(visitor),
    address,
    path: serverPath(access, path),
    ...(share === undefined ? {} : { subject: share }),
    ...(request === undefined ? {} : { request }),
    ...(details === undefined ? {} : { details }),
    ...(isTransfer && arrived !== undefined ? { to: serverPath(access, arrived) } : {}),
  };
  audit.note(activity, settings.audit.level);
}

function hookError(action: string, { refusal, failure }: CommandEnd): DomainError {
  const hasRun = refusal === undefined && failure === undefined;
  return hasRun
    ? new DomainError("hook_failed", `${action}: a hook refused`)
    : new DomainError("internal", `${action}: a hook could not be run`);
}

function hookOf<T>(subject: HookSubject<T>, shell: string[]): Omit<Hook, "trigger" | "line"> {
  const { signedIn: { user, settings }, address, access, path } = subject;
  return {
    ...{ user, address, path, place: serverPath(access, path), shell },
    level: settings.audit.level,
    file: subject.file(),
    destination: subject.destination?.() ?? "",
    scope: access.confines(path, `Cannot run the commands of "${path}"`),
  };
}

/** The event and subject of a copy or a move, whose operation returns the resulting path. */
export function transferHooks(
  access: Access,
  action: "copy" | "move",
  path: EntryPath,
  to: EntryPath,
): Hooked<EntryPath> {
  const isCopy = action === "copy";
  const file = () => (isCopy ? access.copy(path) : access.rename(path)).real;
  let target: WriteHandle | undefined;
  const destination = (done = to) => {
    target ??= isCopy ? access.create(to) : access.receive(to);
    return done === to ? target.real : realChild(target.folder, nameOf(done));
  };
  return { event: isCopy ? "copy" : "rename", access, path, file, destination };
}

/** Whether an operation has told the path at which an entry arrived. */
function isPath(result: unknown): result is EntryPath {
  return typeof result === "string" && result.startsWith("/");
}

/** One hooked line, and its variables. */
interface Hook {
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
async function runHook(services: HookServices, hook: Hook): Promise<CommandEnd> {
  const { line, waits } = readHookLine(hook.line);
  // Hooks in the background must not delay hooks that a request waits for.
  const queue = waits ? "hooks" : "hooks in the background";
  const running = runAndNote(services, { ...hook, line }, queue);
  return waits ? await running : { status: 0 };
}

async function runAndNote(services: HookServices, hook: Hook, queue: string): Promise<CommandEnd> {
  const start = performance.now();
  const decoder = new TextDecoder();
  let note = "";
  const onOutput = (bytes: Uint8Array) => {
    note = (note + decoder.decode(bytes, { stream: true })).slice(-maxNoteLength);
  };
  const end = await run(services, hook, queue, onOutput);
  const { trigger, user, address, path, place, level, line } = hook;
  audit(services, {
    ...{ trigger, user, address, path, place, level, line, end },
    ms: performance.now() - start,
    note: end.status === 0 ? undefined : note.trim(),
  });
  return end;
}

async function run(
  services: HookServices,
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
    return await services.runner.run({ argv, folder: scope, scope, env, queue }, { onOutput });
  } catch (error) {
    const failure = error instanceof DomainError ? error.message : String(error);
    return { status: exitStatus.noSandbox, failure };
  }
}
