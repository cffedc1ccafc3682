import * as v from "valibot";
import { auditActions } from "./choices/audit_choices.ts";
import { about, choice, flag, time, userId } from "./parts.ts";

const seq = v.pipe(v.number(), v.integer(), v.minValue(1));

/** The schema of {@linkcode AuditRecord}. */
const auditRecordSchema = about(
  "One line of the activity log.",
  v.object({
    seq: about("Its number: each is one more than that of the record before.", seq),
    time: about("When it was done.", time),
    action: choice(auditActions),
    user: about(
      "The name at that time. Visitors of shares have none (null), or one that they gave when they " +
        "changed something, with `(guest)` behind it and no `userId`.",
      v.nullable(v.string()),
    ),
    userId: about("Null where no account of that name is known.", v.nullable(userId)),
    address: about("Of the client; null for what the server did.", v.nullable(v.string())),
    path: about("From the root of the server.", v.nullable(v.string())),
    to: about("Where a copy, a move, an archive arrived.", v.nullable(v.string())),
    subject: about(
      "The account, the share, the settings, the command that it was about.",
      v.nullable(v.string()),
    ),
    former: about("SHA-256 of the record before, in hexadecimal.", v.string()),
  }),
);

/** One line of the activity log. */
export type AuditRecord = v.InferOutput<typeof auditRecordSchema>;

/** The schema of {@linkcode AuditPage}. */
export const auditPageSchema = about(
  "A part of the activity log, the latest first.",
  v.object({
    records: v.array(auditRecordSchema),
    next: about(
      "What to send as `before` for older records; null at the end.",
      v.nullable(seq),
    ),
    reached: about(
      "How far back was searched, where the time for one answer was not enough for a whole page.",
      v.nullable(time),
    ),
  }),
);

/** A part of the activity log. */
export type AuditPage = v.InferOutput<typeof auditPageSchema>;

/** The schema of {@linkcode EntryHistory}. */
export const entryHistorySchema = about(
  "What was done to one entry, the latest first.",
  v.object({
    events: v.array(v.object({
      time: about("When it was done.", time),
      action: choice(auditActions),
      user: about("By whom; null for one without a name.", v.nullable(v.string())),
      from: about(
        "Where it was before; null if you may not see that, or if it was not elsewhere.",
        v.nullable(v.string()),
      ),
      to: about("Where a copy of it went; null in the same cases.", v.nullable(v.string())),
      above: about("It was done to a folder that holds the entry.", flag),
    })),
    more: about("There are more records than are returned.", flag),
  }),
);

/** The events of one entry. */
export type EntryHistory = v.InferOutput<typeof entryHistorySchema>;
