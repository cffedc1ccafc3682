import { auditActions } from "../../../../shared/schemas/choices/audit_choices.ts";
import type { Parameter } from "../types.ts";

export const moment =
  "`2026-01-31`, which begins at midnight in `zone`, or `2026-01-31T12:00:00Z`.";

export const filter: Parameter[] = [
  {
    name: "user",
    in: "query",
    description: "The name of a user, as a whole.",
    schema: { type: "string" },
  },
  {
    name: "action",
    in: "query",
    description: `One action or several, with commas between: ${auditActions.join(", ")}.`,
    schema: { type: "string" },
  },
  {
    name: "path",
    in: "query",
    description: "From a slash on, an entry with all below it, from the root of the server; " +
      "otherwise what the path contains, in any case.",
    schema: { type: "string" },
  },
  {
    name: "since",
    in: "query",
    description: `Nothing before: ${moment}`,
    schema: { type: "string" },
  },
  {
    name: "until",
    in: "query",
    description: `Nothing from then on: ${moment}`,
    schema: { type: "string" },
  },
  {
    name: "zone",
    in: "query",
    description: "The time zone of days, and of times in CSV: a name such as `Europe/Berlin`.",
    schema: { type: "string", default: "UTC" },
  },
];
