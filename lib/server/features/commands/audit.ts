import type { EntryPath } from "../../../shared/path.ts";
import type { AuditLevel } from "../../../shared/schemas/choices/audit_choices.ts";
import type { Audit } from "../audit/audit.ts";
import type { Log } from "../../core/log/log.ts";
import type { CommandEnd } from "./protocol.ts";

/** A command that has ended, or was refused, as it is logged for administrators. */
export interface AuditedCommand {
  /** `command` for a typed one, or the event that a line is hooked to. */
  trigger: string;
  user: { id: number; username: string };
  /** The client's address. */
  address: string;
  /** The folder it ran in, or the file it was about, as the user names it. */
  path: string;
  /** The same from the root of the server. */
  place: EntryPath;
  /** Reports to the activity log. */
  level: AuditLevel;
  line: string;
  end: CommandEnd;
  ms: number;
  /** More about the end, if any. */
  note?: string;
}

/**
 * Takes down a command, and logs it: `2026-01-31T12:00:00.000Z command 0 35ms "git status" in
 * "/site" by "anna" from 127.0.0.1`.
 */
export function audit(
  { log, audit }: { log: Log; audit: Audit },
  command: AuditedCommand,
): void {
  const { trigger, end, ms, line, path, place, user: { id, username }, address } = command;
  const user = { id, name: username };
  audit.note({ action: "command", user, address, path: place, subject: line }, command.level);
  const reasons = [reasonOf(end), command.note].filter(Boolean);
  const [what, where, who] = [line, path, username].map((text) => JSON.stringify(text));
  log.line(
    `${new Date().toISOString()} ${trigger} ${end.status} ${ms.toFixed(0)}ms ` +
      `${[`${what} in ${where} by ${who} from ${address}`, ...reasons].join(": ")}`,
  );
}

/** The reason why a command did not run to its end, or null. */
function reasonOf({ stopped, refusal, failure }: CommandEnd): string | null {
  if (stopped === "time") return "stopped, as it ran too long";
  if (stopped === "output") return "stopped, as it printed too much";
  if (stopped === "gone") return "stopped, as the client or its session is gone";
  return refusal ?? failure ?? null;
}
