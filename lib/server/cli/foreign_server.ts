import { isAbsolute } from "node:path";
import { isRecord } from "../../shared/schemas/read.ts";
import { isTelling, type Note } from "./foreign.ts";

/** File Browser's server options, converted to ours. */
export interface TranslatedServer {
  /** Values by the names of our options. */
  options: ReadonlyMap<string, string>;
  left: Note[];
}

const sameOption = new Map([
  ["root", "root"],
  ["baseURL", "baseurl"],
  ["address", "address"],
  ["port", "port"],
  ["tlsCert", "cert"],
  ["tlsKey", "key"],
  ["tokenExpirationTime", "token-expiration-time"],
]);

const oppositeOption = new Map([
  ["enableThumbnails", "disable-thumbnails"],
  ["resizePreview", "disable-preview-resize"],
]);

const recaptchaParts = new Set(["host", "key", "secret"]);

const paths = new Set(["root", "tlsCert", "tlsKey"]);

/**
 * The members `server` and `auther` of File Browser's `config export`. They never enable commands:
 * there, these were enabled by default.
 */
export function translateServer({ server, auther }: Record<string, unknown>): TranslatedServer {
  const { options, left } = translateAuther(auther);
  for (const [name, value] of membersOf(server)) {
    const same = sameOption.get(name);
    const opposite = oppositeOption.get(name);
    if (name === "enableExec" && value === false) options.set("disable-exec", "true");
    else if (opposite !== undefined && typeof value === "boolean") {
      options.set(opposite, String(!value));
    } else if (!isTelling(value)) continue;
    else if (same !== undefined && isText(value) && !isAdrift(name, value)) {
      options.set(same, String(value));
    } else left.push(`server.${name} (${JSON.stringify(value)})`);
  }
  return { options, left };
}

/** A captcha without a key means none, even with a host. */
function translateAuther(auther: unknown) {
  const options = new Map<string, string>();
  const left: Note[] = [];
  for (const [name, value] of membersOf(auther)) {
    const isCaptcha = name === "recaptcha" && isRecord(value);
    if (!isCaptcha && isTelling(value)) left.push(`auther.${name} (${JSON.stringify(value)})`);
    if (!isCaptcha || !isTelling(value.key ?? "")) continue;
    for (const [part, text] of membersOf(value)) {
      if (recaptchaParts.has(part) && isText(text)) options.set(`recaptcha-${part}`, String(text));
    }
  }
  return { options, left };
}

function membersOf(value: unknown): [string, unknown][] {
  return isRecord(value) ? Object.entries(value) : [];
}

/** The options in an export of this program. */
export function ownServer(value: unknown): ReadonlyMap<string, string> {
  return new Map(membersOf(value).filter((entry): entry is [string, string] => isText(entry[1])));
}

function isText(value: unknown): value is string | number {
  return typeof value === "string" || typeof value === "number";
}

/** Whether a value is a relative path, whose base is unknown. */
function isAdrift(name: string, value: unknown): boolean {
  return paths.has(name) && !isAbsolute(String(value));
}
