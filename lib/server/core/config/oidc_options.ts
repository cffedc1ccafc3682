/** The options of signing in by an account of an OpenID Connect provider. */
import { type GivenValue, kinds, type Members, type OptionTable } from "./option.ts";
import {
  isSafe,
  missingPartnerError,
  readFilled,
  readGroups,
  readTrimmed,
  refusedError,
} from "./values.ts";

/** The longest issuer identifier, in characters: it is part of a key of the store. */
const maxIssuerLength = 500;

/** See {@linkcode OidcProvider}. */
export const oidcOptions = {
  "oidc-issuer": {
    value: "URL",
    help: "issuer URL of the OpenID Connect provider",
    read: readIssuer,
    default: "",
    stored: true,
  },
  "oidc-client-id": {
    value: "ID",
    help: "client id of this server at the provider",
    read: readTrimmed,
    default: "",
    stored: true,
  },
  "oidc-client-secret": { ...kinds.secret, help: "client secret", otherwise: "none" },
  "oidc-client-secret-file": { ...kinds.secretFile, help: "file with the client secret" },
  "oidc-ca": {
    ...kinds.authorities,
    help: "CA certificates (PEM) for the provider",
  },
  "oidc-scopes": {
    value: "LIST",
    help: "scopes to request",
    read: readScopes,
    default: "openid profile email",
    stored: true,
  },
  "oidc-name": {
    value: "NAME",
    help: "name of the provider on the sign-in button",
    read: readFilled,
    otherwise: "its host",
    stored: true,
  },
  "oidc-username-claim": {
    value: "CLAIM",
    help: "claim with the name of new users",
    read: readFilled,
    default: "preferred_username",
    stored: true,
  },
  "oidc-groups-claim": {
    value: "CLAIM",
    help: "claim with the groups",
    read: readFilled,
    default: "groups",
    stored: true,
  },
  "oidc-groups": {
    value: "MAP",
    help: "groups that may sign in, with their permissions: GROUP=PERMISSION,…;GROUP=…",
    read: readGroups,
    otherwise: "all",
    stored: true,
  },
  "oidc-create-users": {
    ...kinds.optionalSwitch,
    help: "create a user for an account that has none",
  },
  "oidc-link-users": {
    ...kinds.optionalSwitch,
    help: "link an account to the existing user of the same name",
  },
  "oidc-trust-email": {
    ...kinds.optionalSwitch,
    help: "trust mail addresses that the provider does not mark as verified or not",
  },
  "oidc-only": { ...kinds.optionalSwitch, help: "disable password sign-in" },
  "oidc-logout": { ...kinds.optionalSwitch, help: "sign out at the provider as well" },
} as const satisfies OptionTable;

type OidcValues = Members<typeof oidcOptions, "oidc-">;

/** A provider of OpenID Connect whose accounts may sign in. */
export interface OidcProvider extends Omit<OidcValues, "trustEmail"> {
  /** Its name on the button of the sign-in page. */
  name: string;
  trustEmail?: boolean;
  /** Origins of it besides the issuer's, found at the start. */
  origins?: string[];
}

/** Which accounts of another server may sign in, and as whom. */
export type AccountRules = Pick<OidcProvider, "groups" | "createUsers" | "linkUsers">;

/**
 * Makes the provider; undefined without an issuer.
 *
 * @throws StartRefusal for the first error
 */
export function makeProvider(values: OidcValues): OidcProvider | undefined {
  const { issuer, clientId } = values;
  if (issuer === "" && clientId === "") return undefined;
  if (issuer === "") throw missingPartnerError("oidc-client-id", "oidc-issuer");
  if (clientId === "") throw missingPartnerError("oidc-issuer", "oidc-client-id");
  return { ...values, name: values.name ?? new URL(issuer).host };
}

/**
 * Reads an issuer identifier. The client's secret is sent there: it must be https, or loopback. A
 * query or a fragment is none of it (OpenID Connect Discovery, 3).
 */
function readIssuer(value: GivenValue): string {
  const text = value.text.trim();
  if (text === "") return "";
  const url = URL.canParse(text) ? new URL(text) : null;
  const isPlain = url !== null && url.search === "" && url.hash === "" && url.username === "";
  if (isPlain && isSafe(url) && text.length <= maxIssuerLength) return text;
  throw refusedError(
    value,
    "expected the https address of an issuer, such as https://id.example/realm",
  );
}

/** Without `openid` there would be no ID token. */
function readScopes(value: GivenValue): string | undefined {
  const scopes = value.text.split(/[\s,]+/).filter(Boolean);
  if (!scopes.every((scope) => /^[\x21\x23-\x5b\x5d-\x7e]+$/.test(scope))) {
    throw refusedError(value, "expected scopes, such as: openid profile email groups");
  }
  return scopes.length === 0 ? undefined : [...new Set(["openid", ...scopes])].join(" ");
}
