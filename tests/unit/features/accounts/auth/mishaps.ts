/** What tests of sessions look at and bring about. */
import assert from "node:assert/strict";
import type { Identity } from "../users/identity.ts";

/** Sees to it that a token is refused. */
export async function refused(it: Identity, token: string, what?: string): Promise<void> {
  await assert.rejects(it.sessions.authenticate(token), { code: "not_signed_in" }, what);
}

/** Has something happen between the reading and the writing of what comes next. */
export function beforeCommit(it: Identity, happen: () => Promise<void>): void {
  const { atomic } = it.store;
  it.store.atomic = async (build) => {
    it.store.atomic = atomic;
    await happen();
    return await atomic(build);
  };
}
