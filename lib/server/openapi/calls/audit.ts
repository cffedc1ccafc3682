import { auditActions } from "../../../shared/schemas/choices/audit_choices.ts";
import { bytes, json } from "../answers.ts";
import { call } from "../call.ts";
import { headerNamed } from "../headers.ts";
import { parameterNamed } from "../parameters.ts";
import { schemaNamed } from "../schemas.ts";
import type { Parameter, PathItem } from "../types.ts";

const moment = "`2026-01-31`, which begins at midnight in `zone`, or `2026-01-31T12:00:00Z`.";

const filter: Parameter[] = [
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

/** The calls about the activity log. */
export const auditCalls: Record<string, PathItem> = {
  "/api/audit": {
    get: call({
      id: "listActivity",
      tag: "Server",
      summary: "List who did what, the latest first",
      description: "For administrators. Nothing is taken down while the setting `audit.level` is " +
        "`off`; what was taken down before is listed all the same.",
      auth: "cookie",
      parameters: [
        ...filter,
        {
          name: "before",
          in: "query",
          description: "`next` of the page before.",
          schema: { type: "integer", minimum: 0 },
        },
        {
          name: "limit",
          in: "query",
          description: "How many to list at most; 100 unless given, and no more than 500.",
          schema: { type: "integer", minimum: 0 },
        },
      ],
      answers: { 200: json("A page of the log.", schemaNamed("Audit")) },
      refusals: ["invalid_option"],
    }),
  },

  "/api/audit/export": {
    get: call({
      id: "exportActivity",
      tag: "Server",
      summary: "Send the log as a file, the oldest first",
      description:
        "For administrators. CSV with a heading, in which no cell is a formula; or one " +
        "JSON object a line.",
      auth: "cookie",
      parameters: [
        ...filter,
        {
          name: "format",
          in: "query",
          description: "`csv` unless given.",
          schema: { type: "string", enum: ["csv", "json"], default: "csv" },
        },
      ],
      answers: {
        200: bytes("All of it.", ["text/csv", "application/jsonl"], {
          "Content-Disposition": headerNamed("Disposition"),
        }),
      },
      refusals: ["invalid_option"],
    }),
  },

  "/api/history/{path}": {
    get: call({
      id: "entryHistory",
      tag: "Resources",
      summary: "Tell what was done to an entry, the latest first",
      description: "As far as the activity log goes back, and as the user may see it: no place " +
        "outside of the user's scope, or that a rule denies, is told, nor what was done there.",
      auth: "cookie",
      parameters: [parameterNamed("Path")],
      answers: { 200: json("Its history.", schemaNamed("EntryHistory")) },
      refusals: ["invalid_path", "not_found", "not_supported"],
    }),
  },
};
