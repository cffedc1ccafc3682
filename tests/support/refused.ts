import assert from "node:assert/strict";
import type { ErrorCode } from "../../lib/shared/errors.ts";

/**
 * Asserts that an answer is this refusal, in the shape of the API, and lets its message be read.
 *
 * @param told what the failure is said to be of, for the test's own message
 */
export async function assertRefused(
  answer: Response,
  status: number,
  code: ErrorCode,
  told = "",
): Promise<string> {
  const body = await answer.text();
  assert.equal(`${answer.status} ${codeOf(body)}`, `${status} ${code}`, `${told} ${body}`);
  const { message } = JSON.parse(body);
  assert.match(message, /^Cannot .*[^.\n]$/, "a refusal is one sentence");
  return message;
}

/** Asserts that an answer has this status, and drops its body. */
export async function assertStatus(answer: Response, status: number, told = ""): Promise<void> {
  const body = await answer.text();
  assert.equal(answer.status, status, `${told} ${body}`);
}

function codeOf(body: string): unknown {
  try {
    return JSON.parse(body).code;
  } catch {
    return `no JSON: ${body}`;
  }
}
