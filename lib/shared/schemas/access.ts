import * as v from "valibot";
import { askedActions, reasonKinds, ruleOwners } from "./choices/access_choices.ts";
import { permissionNames } from "./choices/choices.ts";
import { about, choice, count, flag } from "./parts.ts";

const decidingRuleSchema = about(
  "A rule, by its place in its list.",
  v.object({
    list: choice(ruleOwners),
    group: about("The name of the group whose rule it is.", v.nullable(v.string())),
    place: about("From 1 on.", v.pipe(v.number(), v.integer(), v.minValue(1))),
    text: about("Its path, or its expression.", v.string()),
  }),
);

const reasonSchema = about(
  "Why something is refused.",
  v.object({
    kind: choice(reasonKinds),
    permission: about("The one that is missing.", v.nullable(choice(permissionNames))),
    rule: about("The one that denies.", v.nullable(decidingRuleSchema)),
    path: about(
      "What is denied: the entry in question, or the target of a link on its path.",
      v.nullable(v.string()),
    ),
  }),
);

/** Why something is refused. */
export type AccessReason = v.InferOutput<typeof reasonSchema>;

/** The schema of {@linkcode AccessAnswer}. */
export const accessAnswerSchema = about(
  "What one user may do with one entry, and why not.",
  v.object({
    path: about("From the user's scope.", v.string()),
    actions: v.array(v.object({
      action: choice(askedActions),
      allowed: flag,
      reasons: about(
        "All permissions that are missing, then the first of what else stands against it.",
        v.array(reasonSchema),
      ),
    })),
    entries: about(
      "The entries of the folder, as the user sees it; null if it is not a folder in " +
        "your own scope.",
      v.nullable(v.array(v.object({
        name: v.string(),
        isDir: flag,
        reasons: about(
          "Why the user does not see it; empty if the user does.",
          v.array(reasonSchema),
        ),
      }))),
    ),
    more: about("How many entries of the folder are left out.", count),
  }),
);

/** The permissions of one user for one entry, each with the reason. */
export type AccessAnswer = v.InferOutput<typeof accessAnswerSchema>;
