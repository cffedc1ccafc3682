import type { OidcProvider } from "./config.ts";
import type { GivenValue, OptionName } from "./options.ts";
import { readGroups } from "./read_groups.ts";
import { half, readAuthorities, readSecret, readSwitchOrNone } from "./read_sign_in.ts";
import { isSafe, refused, type ValueOf } from "./values.ts";

/** The longest issuer identifier, in characters: it is part of a key of the store. */
const longestIssuer = 500;

/**
 * Reads the provider of OpenID Connect whose accounts may sign in; undefined without an issuer. An
 * empty value overrides another source's.
 *
 * @throws StartRefusal for the first error
 */
export function readOidc(valueOf: ValueOf, cwd: string): OidcProvider | undefined {
  const text = (name: OptionName, usual = "") =>
    valueOf(name, ({ text }) => text.trim() || usual, usual);
  const isOn = (name: OptionName) => valueOf(name, readSwitchOrNone, false);
  const issuer = valueOf("oidc-issuer", readIssuer, "");
  const clientId = text("oidc-client-id");
  if (issuer === "" && clientId === "") return undefined;
  if (issuer === "") throw half("oidc-client-id", "oidc-issuer");
  if (clientId === "") throw half("oidc-issuer", "oidc-client-id");
  const ca = valueOf("oidc-ca", (value) => readAuthorities(value, cwd), undefined);
  return {
    issuer,
    clientId,
    clientSecret: readSecret(valueOf, cwd, "oidc-client-secret"),
    ca,
    scopes: valueOf("oidc-scopes", readScopes, usualScopes),
    name: text("oidc-name", new URL(issuer).host),
    usernameClaim: text("oidc-username-claim", "preferred_username"),
    groupsClaim: text("oidc-groups-claim", "groups"),
    groups: valueOf("oidc-groups", readGroups, undefined),
    createUsers: isOn("oidc-create-users"),
    linkUsers: isOn("oidc-link-users"),
    trustEmail: isOn("oidc-trust-email"),
    only: isOn("oidc-only"),
    logout: isOn("oidc-logout"),
  };
}

const usualScopes = "openid profile email";

/**
 * Reads an issuer identifier. The client's secret is sent there: it must be https, or loopback. A
 * query or a fragment is none of it (OpenID Connect Discovery, 3).
 */
function readIssuer(value: GivenValue): string {
  const text = value.text.trim();
  if (text === "") return "";
  const url = URL.canParse(text) ? new URL(text) : null;
  const isPlain = url !== null && url.search === "" && url.hash === "" && url.username === "";
  if (isPlain && isSafe(url) && text.length <= longestIssuer) return text;
  throw refused(value, "expected the https address of an issuer, such as https://id.example/realm");
}

/** Without `openid` there would be no ID token. */
function readScopes(value: GivenValue): string {
  const scopes = value.text.split(/[\s,]+/).filter(Boolean);
  if (!scopes.every((scope) => /^[\x21\x23-\x5b\x5d-\x7e]+$/.test(scope))) {
    throw refused(value, "expected scopes, such as: openid profile email groups");
  }
  return scopes.length === 0 ? usualScopes : [...new Set(["openid", ...scopes])].join(" ");
}
