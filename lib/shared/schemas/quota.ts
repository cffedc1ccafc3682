import * as v from "valibot";
import { about, notes, shape, userId } from "./parts.ts";

/** The largest limit: a number of bytes that JSON holds exactly. */
const max = Number.MAX_SAFE_INTEGER;

const limitText = "a whole number from 0";

const limit = v.pipe(
  v.number(limitText),
  v.integer(limitText),
  v.minValue(0, limitText),
  v.maxValue(max, limitText),
);

/** The schema of {@linkcode Quota}. */
export const quotaSchema = about(
  "How much the scope of a user may hold, with what that user's trash holds.",
  shape({
    bytes: v.nullish(
      v.pipe(limit, v.description("In bytes; 0 for no limit."), notes({ value: "SIZE" })),
      0,
    ),
    files: v.nullish(
      v.pipe(
        limit,
        v.description("Files, without folders; 0 for no limit."),
        notes({ value: "COUNT" }),
      ),
      0,
    ),
  }),
);

/** The limits of a user: bytes and files, 0 for none. */
export type Quota = v.InferOutput<typeof quotaSchema>;

const used = v.pipe(v.number(), v.integer(), v.minValue(0));

const usageEntries = {
  ...quotaSchema.entries,
  usedBytes: about(
    "What is used, with uploads in progress; null before the first count.",
    v.nullable(used),
  ),
  usedFiles: v.nullable(used),
};

/** The schema of {@linkcode QuotaUsage}. */
export const quotaUsageSchema = about(
  "The limits of a user, and how much of them is in use.",
  v.object(usageEntries),
);

/** The limits of a user, and how much of them is in use. */
export type QuotaUsage = v.InferOutput<typeof quotaUsageSchema>;

/** The schema of {@linkcode UserQuota}. */
export const userQuotaSchema = about(
  "How much one user has in use.",
  v.object({ id: userId, name: v.string(), ...usageEntries }),
);

/** The same, for administrators. */
export type UserQuota = v.InferOutput<typeof userQuotaSchema>;

/** Whether there is a limit at all. */
export function isLimited(quota: Quota | undefined): quota is Quota {
  return quota !== undefined && (quota.bytes > 0 || quota.files > 0);
}
