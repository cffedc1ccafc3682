import {
  type CallDescription,
  type FoundCall,
  jsonBodyOf,
} from "../../../lib/server/http/openapi/call.ts";
import { brokenBody } from "./case.ts";

/** Who asks, with the words of the tests. */
export const askers = {
  nobody: "a caller without a session",
  administrator: "the session of an administrator",
  user: "the session of a user who is no administrator",
  ended: "the token of a session that has ended",
  elsewhere: "the token of another server",
  revoked: "a revoked API token",
  guesser: "one of many wrong API tokens",
  program: "an API token",
  reader: "an API token that may not write",
  writer: "an API token that may not share",
  bound: "an API token that is bound to a folder",
  enrolling: "a session without its second factor",
  foreignHost: "a foreign host name for a server without sign-in",
};

/** One of those who ask. */
export type Asker = keyof typeof askers;

/** A request to a call that is refused for what its declaration says. */
export interface GenericRefusal {
  found: FoundCall;
  /** What is refused, in the words of the tests. */
  what: string;
  by: Asker;
  /** Made for each request, since a stream is read once. */
  body?: () => BodyInit;
  /** "403 forbidden" */
  gives: string;
  /** A part of the message. */
  says?: string;
}

/**
 * The calls whose unknown members are ignored: those that clients of File Browser make, and one whose
 * body browsers write. By hand, so that a further one is thought of.
 */
export const lenientCalls = [
  ...["addUser", "changeSettings", "changeUser", "login", "loginByPasskey", "signUp"],
];

/** What the calls refuse by their declarations, whatever they do: callers and bodies. */
export function genericRefusals(calls: readonly FoundCall[]): GenericRefusal[] {
  return calls.flatMap((found) =>
    [...callersOf(found.call), ...bodiesOf(found.call)].map((one) => ({ found, ...one }))
  );
}

/** The answers that the refusals promise: "login 413 body_too_large". */
export function promisesOf(refusals: readonly GenericRefusal[]): Set<string> {
  return new Set(refusals.map(({ found, gives }) => `${found.call.id} ${gives}`));
}

type Refused = Omit<GenericRefusal, "found">;

function callersOf({ who = "session", token: right }: CallDescription): Refused[] {
  const isOpen = who === "anyone" || who === "scraper";
  const isWrite = right === "write" || right === "whole write";
  const refused: Record<string, (Asker | false)[]> = {
    "401 not_signed_in": [
      who !== "anyone" && "nobody",
      who === "scraper" && "administrator",
      ...isOpen ? [] : ["ended", "elsewhere", "revoked"] as const,
    ],
    "429 throttled": [!isOpen && "guesser"],
    "403 factor_setup_required": [!isOpen && who !== "enrolling" && "enrolling"],
    "403 forbidden": [
      "foreignHost",
      who === "admin" && "user",
      !isOpen && !right && "program",
      isWrite && "reader",
      right === "share" && "writer",
      right?.startsWith("whole") === true && "bound",
    ],
  };
  return Object.entries(refused).flatMap(([gives, by]) =>
    by.filter((one) => one !== false).map((by) => ({ what: askers[by], by, gives }))
  );
}

function bodiesOf(call: CallDescription): Refused[] {
  const declared = jsonBodyOf(call);
  if (!declared) return [];
  const by = call.who === "anyone" ? "nobody" : "administrator";
  const bytes = declared.limits?.bytes ?? (by === "nobody" ? 16 * 1024 : 1024 * 1024);
  const refused = (what: string, gives: string, body?: () => BodyInit): Refused => {
    return { what, gives, by, body };
  };
  const all = [
    refused("a body over its limit", "413 body_too_large", () => " ".repeat(bytes + 1)),
    refused("malformed JSON", "400 invalid_json", () => "{"),
    refused("a list for a body", "400 invalid_json", () => "[]"),
    refused("a text for a body", "400 invalid_json", () => '"text"'),
    refused("null for a body", "400 invalid_json", () => "null"),
    refused("a body that breaks off", "400 invalid_body", () => brokenBody().body ?? ""),
    refused("a body that nests too deeply", "400 invalid_body", () => "[".repeat(33)),
  ];
  // At its limit it is read, and found to hold nothing. One that is read in slices has more limits.
  if (!declared.isReadByCall) {
    all.push(refused("blanks up to its limit", "400 invalid_json", () => " ".repeat(bytes)));
  }
  if (declared.required) all.push(refused("no body", "400 invalid_json"));
  if (!lenientCalls.includes(call.id)) {
    const unknown = () => JSON.stringify({ "not there": 1 });
    all.push({ ...refused("an unknown member", "400 invalid_body", unknown), says: "not there" });
  }
  return all;
}
