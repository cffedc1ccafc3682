import type { Audit } from "../../audit/audit.ts";
import type { User } from "../users/user.ts";
import type { Users } from "../users/users.ts";
import type { Client } from "./session.ts";

/** Records a sign-in. */
export async function recordSignIn(
  audit: Audit,
  { id, username }: User,
  { address }: Client,
): Promise<void> {
  const user = { id, name: username };
  await audit.recordUnread("signin", () => Promise.resolve({ user, address }));
}

/**
 * Records a wrong password. A name that no user has is left out: it may be a password that was
 * typed into the wrong field.
 *
 * @param account as the throttle has it: `user:anna`, `share:4fG…`
 */
export async function recordFailure(
  audit: Audit,
  users: Users,
  account: string,
  address: string,
): Promise<void> {
  const [kind = "", ...rest] = account.split(":");
  const name = rest.join(":");
  await audit.recordUnread("signin_failed", async () => {
    const user = kind === "user" ? await users.byName(name) : null;
    return {
      user: user && { id: user.id, name: user.username },
      address,
      ...(kind === "share" ? { subject: name } : {}),
    };
  });
}
