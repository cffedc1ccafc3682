import { unlessRefused } from "../../../../shared/unless_refused.ts";
import { isBcryptHash } from "../passwords/bcrypt.ts";
import { allPermissions } from "../../../core/access/viewer.ts";
import { randomPassword } from "../passwords/password_policy.ts";
import { blankUser, type UserDraft } from "./user.ts";
import type { Users } from "./users.ts";

/** The first administrator in the start-up configuration. */
export interface FirstAdmin {
  username: string;
  /** Plain text or a bcrypt hash; a random one without it. */
  password?: string;
}

/**
 * Creates the administrator of a new store. Under concurrency one thread or process wins, and only
 * that one returns the password.
 *
 * @returns the random password, to be shown once; null when it was given, or there is a user
 * @throws DomainError `invalid_password`, `invalid_name`
 */
export async function createFirstAdmin(users: Users, admin: FirstAdmin): Promise<string | null> {
  if (await users.count() > 0) return null;
  const random = admin.password ? null : randomPassword();
  return await unlessRefused(async () => {
    await users.create(draftOf(admin.username, random ?? admin.password ?? ""), {
      onlyFirst: true,
      isPrinted: random !== null,
    });
    return random;
  }, "exists");
}

function draftOf(username: string, password: string): UserDraft {
  const secret = isBcryptHash(password) ? { passwordHash: password } : { password };
  return { ...blankUser(), ...secret, firstSteps: true, username, perm: allPermissions() };
}
