import type { Config, MailServer } from "./config.ts";

/**
 * The addresses of the servers that this one connects to, besides that of its store: for the rights
 * of the process.
 */
export function askedServers(
  { recaptcha, oidc, ldap, mail }: Pick<Config, "recaptcha" | "oidc" | "ldap" | "mail">,
): string[] {
  return [
    ...recaptcha ? [recaptcha.host] : [],
    ...oidc ? [new URL(oidc.issuer).origin, ...oidc.origins ?? []] : [],
    ...ldap?.urls ?? [],
    ...mail ? [mailServerUrl(mail)] : [],
  ];
}

/** The address of the server that mail is handed to, with its port. */
export function mailServerUrl({ host, port, tls }: MailServer): string {
  const scheme = tls === "tls" ? "smtps" : "smtp";
  return `${scheme}://${host.includes(":") ? `[${host}]` : host}:${port}`;
}
