import { isAbsolute } from "node:path";
import { isRecord } from "../../../shared/schemas/read.ts";
import { hasValue, type Note } from "./foreign.ts";

/** File Browser's server options, converted to ours. */
export interface TranslatedServer {
  /** Values by the names of our options. */
  options: ReadonlyMap<string, string>;
  omitted: Note[];
  /** What the server has to be given besides. */
  needs: Note[];
}

const sameOption = new Map([
  ["root", "root"],
  ["baseURL", "baseurl"],
  ["address", "address"],
  ["port", "port"],
  ["log", "log"],
  ["tlsCert", "cert"],
  ["tlsKey", "key"],
  ["tokenExpirationTime", "token-expiration-time"],
]);

const oppositeOption = new Map([
  ["enableThumbnails", "disable-thumbnails"],
  ["resizePreview", "disable-preview-resize"],
]);

const recaptchaParts = new Set(["host", "key", "secret"]);

const paths = new Set(["root", "tlsCert", "tlsKey", "log"]);

/** Options of File Browser's server about what Cubby always does in its own way. */
const settled = new Set([
  "typeDetectionByHeader",
  "imageResolutionCalculation",
  "authHook",
]);

/** Modes that File Browser gives new files and folders where its record says none, or 0. */
const usualModes = { fileMode: 0o640, dirMode: 0o750 };

/** What the server needs for the ways to sign in that trust a name without a password. */
const needsOf = new Map([
  ["proxy", "--trusted-proxies: without it, the server does not start"],
  ["noauth", "--noauth-anywhere where --address is one that others can reach"],
]);

/**
 * The members `server` and `auther` of File Browser's `config export`, with those of `settings`
 * that are options here. They never enable commands: there, these were enabled by default. The
 * dialect of the API is that of File Browser, whose clients come along.
 */
export function translateServer(
  { settings, server, auther }: Record<string, unknown>,
): TranslatedServer {
  const known = isRecord(settings) ? settings : {};
  const { authMethod } = known;
  const { options, omitted } = translateAuther(auther, authMethod === "hook");
  const need = needsOf.get(String(authMethod));
  options.set("api-compat", "2.63");
  if (authMethod === "noauth" || authMethod === "proxy" || authMethod === "hook") {
    options.set("auth-method", authMethod);
    // Not every version of it makes users of them.
    if (authMethod !== "noauth") omitted.push("new users for unknown names (--auth-create-users)");
    if (authMethod === "hook") {
      omitted.push("the network for the sign-in program, which is in a sandbox (--exec-sandbox)");
    }
  } else if (hasValue(authMethod) && authMethod !== "json") {
    omitted.push(`authMethod (${JSON.stringify(authMethod)})`);
  }
  for (const [name, usual] of Object.entries(usualModes)) {
    const given = Number(known[name]);
    const mode = given > 0 ? given & 0o777 : usual;
    options.set(name === "fileMode" ? "file-mode" : "dir-mode", mode.toString(8).padStart(4, "0"));
  }
  for (const [name, value] of membersOf(server)) {
    const same = sameOption.get(name);
    const opposite = oppositeOption.get(name);
    if (name === "enableExec" && value === false) options.set("disable-exec", "true");
    else if (settled.has(name) || (name === "log" && value === "stdout")) continue;
    else if (opposite !== undefined && typeof value === "boolean") {
      options.set(opposite, String(!value));
    } else if (!hasValue(value)) continue;
    else if (same !== undefined && isText(value) && !isRelativePath(name, value)) {
      options.set(same, String(value));
    } else omitted.push(`server.${name} (${JSON.stringify(value)})`);
  }
  return { options, omitted, needs: need ? [`${authMethod} needs ${need}`] : [] };
}

/** A captcha without a key means none, even with a host. */
function translateAuther(auther: unknown, isHook: boolean) {
  const options = new Map<string, string>();
  const omitted: Note[] = [];
  for (const [name, value] of membersOf(auther)) {
    const option = name === "header"
      ? "auth-header"
      : isHook && name === "command" && "auth-command";
    if (option && isText(value) && value !== "") options.set(option, `${value}`);
    if (option) continue;
    const isCaptcha = name === "recaptcha" && isRecord(value);
    if (!isCaptcha && hasValue(value)) omitted.push(`auther.${name} (${JSON.stringify(value)})`);
    if (!isCaptcha || !hasValue(value.key ?? "")) continue;
    for (const [part, text] of membersOf(value)) {
      if (recaptchaParts.has(part) && isText(text)) options.set(`recaptcha-${part}`, String(text));
    }
  }
  return { options, omitted };
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
function isRelativePath(name: string, value: unknown): boolean {
  return paths.has(name) && !isAbsolute(String(value));
}
