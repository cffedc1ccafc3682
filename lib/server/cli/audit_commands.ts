import { DomainError } from "../../shared/errors.ts";
import { exportAudit, exportFormats } from "../features/audit/export_audit.ts";
import { readTime } from "../features/audit/read_time.ts";
import { verifyAudit } from "../features/audit/verify_audit.ts";
import { openSigningKey } from "../features/accounts/auth/signing_key.ts";
import { type AuditAction, auditActions } from "../../shared/schemas/choices/audit_choices.ts";
import type { Call, Command } from "./command.ts";

/** The commands about the activity log. */
export const auditCommands: Command[] = [
  {
    name: "audit verify",
    words: "",
    about: "verify the activity log; exits with 1 if a record was changed",
    flags: [{ name: "checkpoint", value: "NUMBER:HASH" }],
    run: verify,
  },
  {
    name: "audit export",
    words: "",
    about: "print the activity log, oldest record first",
    flags: [
      { name: "format", value: "FORM" },
      { name: "since", value: "TIME" },
      { name: "until", value: "TIME" },
      { name: "user", value: "NAME" },
      { name: "action", value: "ACTIONS" },
    ],
    run: print,
  },
];

async function verify({ records: { store }, flags, print }: Call): Promise<number> {
  const noted = notedCheckpoint(flags.get("checkpoint"));
  const verification = await verifyAudit(store, await openSigningKey(store), noted);
  const { records, first, last, checkpoints, problems } = verification;
  print(
    records === 0
      ? "The activity log is empty"
      : `Records: ${records}, from ${first} to ${last}; checkpoints: ${checkpoints}`,
  );
  for (const problem of problems) print(`Wrong: ${problem}`);
  print(problems.length === 0 ? "Nothing was changed" : "It was changed");
  return problems.length === 0 ? 0 : 1;
}

async function print({ records: { store }, flags, print }: Call): Promise<void> {
  const text = flags.get("format") ?? "csv";
  const format = exportFormats.find((each) => each === text);
  if (format === undefined) {
    throw new DomainError("invalid_option", `Cannot use --format=${text}: expected csv or json`);
  }
  const filter = {
    user: flags.get("user"),
    actions: actionsOf(flags.get("action")),
    since: timeOf("since", flags.get("since")),
    until: timeOf("until", flags.get("until")),
  };
  for await (const line of exportAudit(store, format, filter)) print(line);
}

function notedCheckpoint(text: string | undefined): { seq: number; hash: string } | undefined {
  if (text === undefined) return undefined;
  const [, seq, hash = ""] = /^(\d{1,15}):([0-9a-f]{64})$/.exec(text) ?? [];
  if (seq !== undefined) return { seq: Number(seq), hash };
  throw new DomainError(
    "invalid_option",
    `Cannot use --checkpoint=${text}: expected a checkpoint as the log of the server has it`,
  );
}

function actionsOf(text: string | undefined): AuditAction[] | undefined {
  return text?.split(",").map(actionOf);
}

function actionOf(text: string): AuditAction {
  const action = auditActions.find((each) => each === text);
  if (action !== undefined) return action;
  const known = auditActions.join(", ");
  throw new DomainError("invalid_option", `Cannot use --action=${text}: known are ${known}`);
}

function timeOf(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const at = readTime(text);
  if (at !== null) return at;
  throw new DomainError(
    "invalid_option",
    `Cannot use --${name}=${text}: expected 2026-01-31 or 2026-01-31T12:00:00Z`,
  );
}
