import type { Config } from "./config.ts";

/**
 * The addresses of the servers that this one connects to, besides that of its store: for the rights
 * of the process.
 */
export function askedServers(
  { recaptcha, oidc, ldap }: Pick<Config, "recaptcha" | "oidc" | "ldap">,
): string[] {
  return [
    ...recaptcha ? [recaptcha.host] : [],
    ...oidc ? [new URL(oidc.issuer).origin, ...oidc.origins ?? []] : [],
    ...ldap?.urls ?? [],
  ];
}
