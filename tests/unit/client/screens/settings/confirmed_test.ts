import assert from "node:assert/strict";
import type { TFunction } from "i18next";
import { confirmed } from "../../../../../lib/client/screens/settings/use_sending.ts";
import { Prompts } from "../../../../../lib/client/base/prompts/prompts.ts";
import { failure, type Result, success } from "../../../../../lib/shared/result.ts";

const t = ((key: string) => `text of ${key}`) as TFunction;

/** A call that wants the password "right", and what it was made with. */
function guarded(): { call: (password?: string) => Promise<Result<string>>; made: unknown[] } {
  const made: unknown[] = [];
  return {
    made,
    call: (password) => {
      made.push(password);
      const answer = password === "right"
        ? success("done")
        : failure(403, "wrong_credentials", "no");
      return Promise.resolve(answer);
    },
  };
}

/** Lets the promises that wait go on. */
async function settle(): Promise<void> {
  for (let i = 0; i < 20; i++) await Promise.resolve();
}

Deno.test("confirmed() asks until the password is right, and says that it was not", async () => {
  const prompts = new Prompts();
  const { call, made } = guarded();
  const answer = confirmed({ prompts, t, first: true }, call);
  assert.deepEqual(prompts.current.peek()?.input, { complaint: undefined });
  prompts.answer("password", "wrong");
  await settle();
  assert.deepEqual(prompts.current.peek()?.input, {
    complaint: "text of errors.wrong_credentials",
  });
  prompts.answer("password", "right");
  assert.deepEqual(await answer, success("done"));
  assert.deepEqual(made, ["wrong", "right"]);
});

Deno.test("confirmed() asks only when the server does, unless told otherwise", async () => {
  const prompts = new Prompts();
  const free = confirmed({ prompts, t, first: false }, () => Promise.resolve(success("free")));
  assert.deepEqual(await free, success("free"));
  assert.equal(prompts.current.peek(), null);

  const { call, made } = guarded();
  const answer = confirmed({ prompts, t, first: false }, call);
  await settle();
  prompts.answer("password", "right");
  assert.deepEqual(await answer, success("done"));
  assert.deepEqual(made, [undefined, "right"]);
});

Deno.test("confirmed() gives up with the question, and makes no call", async () => {
  const prompts = new Prompts();
  const { call, made } = guarded();
  const answer = confirmed({ prompts, t, first: true }, call);
  prompts.close();
  const given = await answer;
  assert.ok(!given.ok && given.code === "aborted");
  assert.deepEqual(made, []);
});

Deno.test("confirmed() stops at any other refusal", async () => {
  const prompts = new Prompts();
  const refusal = failure(403, "last_admin", "no");
  const answer = confirmed({ prompts, t, first: false }, () => Promise.resolve(refusal));
  assert.deepEqual(await answer, refusal);
  assert.equal(prompts.current.peek(), null);
});
