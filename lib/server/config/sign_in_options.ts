/**
 * The options of signing in by an account elsewhere. All of them may be stored. They are spread into
 * the table of `options.ts`, which checks their shape.
 */
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
