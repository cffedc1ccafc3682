/** The options of an office server, which edits documents in the browser by WOPI. */
import { type GivenValue, kinds, type Members, type OptionTable } from "./option.ts";
import { missingPartnerError, refusedError } from "./values.ts";

/** See {@linkcode OfficeServer}. */
export const officeOptions = {
  "office-url": {
    value: "URL",
    help: "address of an office server (Collabora Online, ONLYOFFICE Docs) for calls of the API",
    read: readServerUrl,
    default: "",
    stored: true,
  },
  "office-public-url": {
    value: "URL",
    help: "address of the office server for browsers",
    read: readServerUrl,
    default: "",
    otherwise: "the same",
    stored: true,
  },
  "office-host-url": {
    value: "URL",
    help: "address of this server for the office server",
    read: readServerUrl,
    default: "",
    otherwise: "the one that the browser uses",
    stored: true,
  },
  "office-ca": { ...kinds.authorities, help: "CA certificates (PEM) for the office server" },
} as const satisfies OptionTable;

type OfficeValues = Members<typeof officeOptions, "office-">;

/** The server that edits documents, a WOPI client. Addresses have no slash at the end. */
export interface OfficeServer extends Pick<OfficeValues, "url" | "ca"> {
  /** Its address for browsers. */
  publicUrl: string;
  /** The address of this server for it; absent for the one that the browser uses. */
  hostUrl?: string;
}

/**
 * Makes the office server; undefined without an address.
 *
 * @throws StartRefusal for an address of one side without the office server
 */
export function makeOfficeServer(
  { url, publicUrl, hostUrl, ca }: OfficeValues,
): OfficeServer | undefined {
  if (url !== "") {
    return {
      url,
      publicUrl: publicUrl || url,
      ...hostUrl !== "" && { hostUrl },
      ...ca !== undefined && { ca },
    };
  }
  if (publicUrl !== "") throw missingPartnerError("office-public-url", "office-url");
  if (hostUrl !== "") throw missingPartnerError("office-host-url", "office-url");
  return undefined;
}

/** Characters of a host that mean something else in a content security policy. */
const policySigns = /[*;,']/;

/** Plain http is allowed: within a network of containers it is usual. */
function readServerUrl(value: GivenValue): string {
  const text = value.text.trim();
  if (text === "") return "";
  const url = URL.parse(text);
  const isPlain = url !== null && /^https?:$/.test(url.protocol) && url.search === "" &&
    url.hash === "" && url.username === "" && url.password === "" &&
    !policySigns.test(url.hostname);
  if (isPlain) return url.origin + url.pathname.replace(/\/+$/, "");
  throw refusedError(value, "expected an http or https address, such as https://office.example");
}
