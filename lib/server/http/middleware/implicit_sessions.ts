import type { Cubby } from "../../boot/cubby/cubby.ts";
import { DomainError } from "../../../shared/errors.ts";
import type { SignedIn } from "../../features/accounts/auth/session.ts";
import type { User } from "../../features/accounts/users/user.ts";

/** Tokens of implicit sessions, by user id; lost with the process, then opened again. */
const tokens = new WeakMap<Cubby, Map<number, Promise<string>>>();

/** The client that the list of sessions shows for an implicit session. */
const CLIENT = { address: "local", agent: "Without sign-in" };

/**
 * The session of a user who is authenticated without a token: one for each user and thread, not one
 * for each request. It is an ordinary session, checked each time, and replaced when it has ended or
 * is about to expire.
 */
export async function implicitSession(cubby: Cubby, user: User): Promise<SignedIn> {
  const known = tokensOf(cubby).get(user.id);
  if (known) {
    const signedIn = await stillGood(cubby, known);
    if (signedIn) return signedIn;
    if (tokensOf(cubby).get(user.id) === known) tokensOf(cubby).delete(user.id);
  }
  return await cubby.sessions.authenticate(await open(cubby, user));
}

/** Opens a session; concurrent calls share it. */
function open(cubby: Cubby, user: User): Promise<string> {
  const all = tokensOf(cubby);
  const opening = all.get(user.id);
  if (opening) return opening;

  const token = cubby.sessions.open(user, CLIENT).then((opened) => opened.token);
  all.set(user.id, token);
  token.catch(() => all.delete(user.id));
  return token;
}

async function stillGood(cubby: Cubby, token: Promise<string>): Promise<SignedIn | undefined> {
  try {
    const signedIn = await cubby.sessions.authenticate(await token);
    return signedIn.stale ? undefined : signedIn;
  } catch (error) {
    if (error instanceof DomainError && error.code === "not_signed_in") return undefined;
    throw error;
  }
}

function tokensOf(cubby: Cubby): Map<number, Promise<string>> {
  let all = tokens.get(cubby);
  if (!all) {
    all = new Map();
    tokens.set(cubby, all);
  }
  return all;
}
