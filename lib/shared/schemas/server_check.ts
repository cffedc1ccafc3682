import * as v from "valibot";
import { about, time } from "./parts.ts";

/** Whether a part of the server is set up well. */
const checkStates = ["good", "advice", "problem"] as const;

/** What each check of the server may find, with its state. */
export const checkFindings = {
  address: { https: "good", localHttp: "advice", plainHttp: "problem" },
  proxy: { direct: "good", trusted: "good", noScheme: "advice", untrusted: "problem" },
  signup: { closed: "good", open: "advice", noauth: "problem" },
  activity: { recorded: "good", unrecorded: "advice" },
  backup: { recent: "good", old: "advice", none: "advice" },
  media: {
    found: "good",
    withoutOffice: "good",
    missing: "advice",
    refused: "advice",
    turnedOff: "advice",
  },
  store: { current: "good", updating: "advice", memory: "problem" },
  disk: { free: "good", low: "advice", full: "problem" },
} as const satisfies Record<string, Record<string, typeof checkStates[number]>>;

/** The checks that the server makes of itself, in reading order. */
const checkIds = Object.keys(checkFindings) as (keyof typeof checkFindings)[];

/** Every finding of a check. */
type Findings = typeof checkFindings;

/** What a check has found. */
export type CheckFinding = { [Id in keyof Findings]: keyof Findings[Id] }[keyof Findings];

const findings = Object.values(checkFindings).flatMap((each) => Object.keys(each)) as [
  CheckFinding,
  ...CheckFinding[],
];

/** The schema of {@linkcode ServerCheck}. */
export const serverCheckSchema = about(
  "How a server is set up.",
  v.object({
    checks: v.array(v.object({
      id: about("The subject of the check.", v.picklist(checkIds)),
      state: about(
        "`good`; `advice` for what could be better; `problem` for what should be changed.",
        v.picklist(checkStates),
      ),
      finding: about("What was found.", v.picklist(findings)),
      values: about(
        "What the finding is about, such as an address, a time (RFC 3339) or bytes.",
        v.record(v.string(), v.union([v.string(), v.number()])),
      ),
    })),
    now: about("The time of the server.", time),
  }),
);

/** How a server is set up, as it finds by itself. */
export type ServerCheck = v.InferOutput<typeof serverCheckSchema>;

/** What was found about one subject. */
export type CheckResult = ServerCheck["checks"][number];

/** The largest body that `POST /api/check` takes, in bytes. */
export const maxProbe = 64 * 2 ** 20;
