/**
 * The options of signing in. All of them may be stored. They are spread into the table of
 * `options.ts`, which checks their shape.
 */

/** How users sign in. */
export const authOptions = [
  {
    name: "auth-method",
    value: "METHOD",
    about: "json, hook, noauth or proxy (json)",
    stored: true,
  },
  {
    name: "auth-command",
    value: "COMMAND",
    about: "the program that knows the passwords, for hook",
    stored: true,
  },
  {
    name: "auth-header",
    value: "HEADER",
    about: "the header that names the user, for proxy (X-Forwarded-User)",
    stored: true,
  },
  {
    name: "auth-create-users",
    about: "make users of unknown names, for proxy and hook, without special rights",
    stored: true,
  },
] as const;

/** A captcha before signing in. */
export const recaptchaOptions = [
  {
    name: "recaptcha-key",
    value: "KEY",
    about: "the site's key of a reCAPTCHA v2 to solve before signing in",
    stored: true,
  },
  {
    name: "recaptcha-secret",
    value: "SECRET",
    about: "the secret that belongs to the key",
    stored: true,
  },
  {
    name: "recaptcha-host",
    value: "URL",
    about: "where that reCAPTCHA is (https://www.google.com)",
    stored: true,
  },
] as const;

/** Signing in by an account of an OpenID Connect provider. */
export const oidcOptions = [
  {
    name: "oidc-issuer",
    value: "URL",
    about: "the OpenID Connect provider whose accounts may sign in",
    stored: true,
  },
  {
    name: "oidc-client-id",
    value: "ID",
    about: "the id of this server as a client there",
    stored: true,
  },
  {
    name: "oidc-client-secret",
    value: "SECRET",
    about: "the client's secret (none)",
    stored: true,
  },
  {
    name: "oidc-client-secret-file",
    value: "FILE",
    about: "the file with the client's secret",
    stored: true,
    isPath: true,
  },
  {
    name: "oidc-ca",
    value: "FILE",
    about: "certificates (PEM) of the authority that the provider's is signed by (the usual ones)",
    stored: true,
    isPath: true,
  },
  {
    name: "oidc-scopes",
    value: "LIST",
    about: "scopes to ask for (openid profile email)",
    stored: true,
  },
  {
    name: "oidc-name",
    value: "NAME",
    about: "what the button to sign in calls the provider (its host)",
    stored: true,
  },
  {
    name: "oidc-username-claim",
    value: "CLAIM",
    about: "the claim that names new users (preferred_username)",
    stored: true,
  },
  {
    name: "oidc-groups-claim",
    value: "CLAIM",
    about: "the claim that lists groups (groups)",
    stored: true,
  },
  {
    name: "oidc-groups",
    value: "MAP",
    about: "who may sign in, and what for: GROUP=PERMISSION,…;GROUP=… (everybody)",
    stored: true,
  },
  {
    name: "oidc-create-users",
    about: "make users of accounts that have none",
    stored: true,
  },
  {
    name: "oidc-link-users",
    about: "give an account the user of the same name who is there",
    stored: true,
  },
  {
    name: "oidc-trust-email",
    about: "mail addresses count as verified where the provider does not say",
    stored: true,
  },
  {
    name: "oidc-only",
    about: "nobody signs in by a password",
    stored: true,
  },
  {
    name: "oidc-logout",
    about: "signing out here leads to signing out there",
    stored: true,
  },
] as const;

/** Signing in by the passwords of an LDAP directory. */
export const ldapOptions = [
  {
    name: "ldap-url",
    value: "URLS",
    about: "the LDAP servers whose passwords count: ldaps://host, the first that answers",
    stored: true,
  },
  {
    name: "ldap-start-tls",
    about: "encrypt a connection to ldap:// before anything is said",
    stored: true,
  },
  {
    name: "ldap-ca",
    value: "FILE",
    about: "certificates (PEM) of the authority that the directory's is signed by (the usual ones)",
    stored: true,
    isPath: true,
  },
  {
    name: "ldap-bind-dn",
    value: "DN",
    about: "the entry as which users are looked up (anonymously)",
    stored: true,
  },
  {
    name: "ldap-bind-password",
    value: "SECRET",
    about: "its password",
    stored: true,
  },
  {
    name: "ldap-bind-password-file",
    value: "FILE",
    about: "the file with its password",
    stored: true,
    isPath: true,
  },
  {
    name: "ldap-base",
    value: "DN",
    about: "the entry below which users are",
    stored: true,
  },
  {
    name: "ldap-filter",
    value: "FILTER",
    about: "what finds a user, where {name} is what was typed ((uid={name}))",
    stored: true,
  },
  {
    name: "ldap-username-attribute",
    value: "NAME",
    about: "the attribute that names new users (uid)",
    stored: true,
  },
  {
    name: "ldap-groups-attribute",
    value: "NAME",
    about: "the attribute that lists groups (memberOf)",
    stored: true,
  },
  {
    name: "ldap-groups",
    value: "MAP",
    about: "who may sign in, and what for: GROUP=PERMISSION,…;GROUP=… (everybody)",
    stored: true,
  },
  {
    name: "ldap-create-users",
    about: "make users of entries that have none",
    stored: true,
  },
  {
    name: "ldap-link-users",
    about: "give an entry the user of the same name who is there",
    stored: true,
  },
] as const;
