import type { OidcProvider } from "../../../../core/config/oidc_options.ts";

/** The claims of an account: those of its ID token and of its user info. */
export type Claims = Readonly<Record<string, unknown>>;

/**
 * The name that the user of an account is to have; null when the claim is missing, or is a mail
 * address that the provider has not verified: anybody may write another's into a profile.
 */
export function usernameIn(
  claims: Claims,
  { usernameClaim, trustEmail }: OidcProvider,
): string | null {
  const name = claimAt(claims, usernameClaim);
  if (typeof name !== "string" || name.trim() === "") return null;
  const isMail = usernameClaim === "email" || sameMail(name, claims.email);
  return isMail && !isVerified(claims, trustEmail) ? null : name;
}

/** Whether the provider has verified the mail address. Some write the claim as a text. */
function isVerified({ email_verified: said }: Claims, trustEmail = false): boolean {
  return said === true || said === "true" || (trustEmail && (said ?? null) === null);
}

/** The groups of an account; none when the claim is missing. A single text is a list of one. */
export function groupsIn(claims: Claims, { groupsClaim }: OidcProvider): string[] {
  const groups = claimAt(claims, groupsClaim);
  const list = Array.isArray(groups) ? groups : [groups];
  return list.filter((group) => typeof group === "string");
}

/**
 * A claim, or the member of one: `groups`, `realm_access.roles`. Names may have dots themselves.
 */
export function claimAt(claims: Claims, path: string): unknown {
  if (Object.hasOwn(claims, path)) return claims[path];
  return path.split(".").reduce<unknown>(
    (value, name) =>
      typeof value === "object" && value !== null && Object.hasOwn(value, name)
        ? Reflect.get(value, name)
        : undefined,
    claims,
  );
}

function sameMail(name: string, mail: unknown): boolean {
  return typeof mail === "string" && mail.trim().toLowerCase() === name.trim().toLowerCase();
}
