import assert from "node:assert/strict";
import { failureOfAnswer, failureOfThrow } from "../../../../../lib/client/base/api/calls.ts";
import { failure, type FailureCode } from "../../../../../lib/shared/result.ts";
import { reasonOf } from "../../../../../lib/client/base/api/reasons.ts";
import { wordsOf } from "../../../../../lib/server/http/pages/dictionaries.ts";
import { createI18n } from "../../../../../lib/shared/i18n/i18n.ts";

const { t } = createI18n("en", wordsOf("en"));

/** What becomes of each status, whoever answers with it: the last sentence says what to do. */
const advice: Record<number, string> = {
  401: "Your session has ended. Sign in again.",
  403: "You don’t have permissions to access this. If you need access, ask an administrator.",
  404: "This location can’t be reached. It may have been moved, renamed or deleted. " +
    "Try searching for it.",
  409: "This name is already taken. Choose a different one.",
  412: "It has changed in the meantime. Check it, then try again.",
  413: "It’s larger than the server allows. Ask an administrator to raise the limit.",
  429: "Too many attempts. Try again in 30 seconds.",
  507: "The disk is full. Free up some space, then try again.",
};

for (const [status, words] of Object.entries(advice)) {
  Deno.test(`a bare ${status} says what to do`, () => {
    const answer = failureOfAnswer(Number(status), "<h1>refused</h1>", "30");
    assert.equal(reasonOf(t, answer), words);
  });
}

Deno.test("no answer at all says what to do", () => {
  const reason = reasonOf(t, failureOfThrow(new TypeError("Failed to fetch")));
  assert.equal(reason, "The server can’t be reached. Check your connection, then try again.");
});

Deno.test("reasonOf() has a sentence for every code, known or not", () => {
  const throttled = { ...failure(429, "throttled", ""), retryAfter: 1 };
  assert.equal(reasonOf(t, throttled), "Too many attempts. Try again in 1 second.");
  const later = failure(418, "teapot" as FailureCode, "I'm a teapot");
  assert.equal(reasonOf(t, later), "Something really went wrong.");
});

Deno.test("reasonOf() tells visitors that the owner has no room, and asks them to free none", () => {
  const message = 'Cannot write "/a": the quota of its owner has no room for it';
  assert.equal(
    reasonOf(t, failure(507, "over_quota", message)),
    "The folder’s owner has no room left for this. Only they can free some.",
  );
});
