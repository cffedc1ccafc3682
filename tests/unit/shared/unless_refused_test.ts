import assert from "node:assert/strict";
import { DomainError, type ErrorCode } from "../../../lib/shared/errors.ts";
import { isAllowed, unlessRefused } from "../../../lib/shared/unless_refused.ts";

const refuse = (code: ErrorCode) => {
  throw new DomainError(code, "Cannot read it");
};

Deno.test("unlessRefused() gives what the work gives, at once or later", async () => {
  assert.equal(unlessRefused(() => 1), 1);
  assert.equal(await unlessRefused(() => Promise.resolve(2)), 2);
});

Deno.test("unlessRefused() gives null for a refusal, or for the reasons that are named", async () => {
  assert.equal(unlessRefused(() => refuse("forbidden")), null);
  assert.equal(unlessRefused(() => refuse("not_found"), "exists", "not_found"), null);
  assert.equal(await unlessRefused(async () => await refuse("not_found"), "not_found"), null);
  assert.throws(() => unlessRefused(() => refuse("forbidden"), "not_found"), DomainError);
  await assert.rejects(
    unlessRefused(async () => await refuse("forbidden"), "not_found"),
    DomainError,
  );
});

Deno.test("unlessRefused() and isAllowed() throw errors that are no refusals", async () => {
  const fail = () => {
    throw new TypeError("broken");
  };
  assert.throws(() => unlessRefused(fail), TypeError);
  assert.throws(() => isAllowed(fail), TypeError);
  await assert.rejects(unlessRefused(async () => await fail()), TypeError);
  assert.deepEqual([isAllowed(() => undefined), isAllowed(() => refuse("forbidden"))], [
    true,
    false,
  ]);
});
