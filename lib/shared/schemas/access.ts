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
      "What is denied: the entry that was asked about, or one that a link on the way leads to.",
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
      "What is in the folder, as the user sees it; null for what is no folder of the one who asks.",
      v.nullable(v.array(v.object({
        name: v.string(),
        isDir: flag,
        reasons: about(
          "Why the user does not see it; none for what is seen.",
          v.array(reasonSchema),
        ),
      }))),
    ),
    more: about("How many entries of the folder are not told of.", count),
  }),
);

/** The permissions of one user for one entry, each with the reason. */
export type AccessAnswer = v.InferOutput<typeof accessAnswerSchema>;
