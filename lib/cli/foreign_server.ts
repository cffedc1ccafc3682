import { isAbsolute } from "node:path";
import { isRecord, isTelling, type Note } from "./foreign.ts";

/** What File Browser says of its start, said as we say it. */
export interface TranslatedServer {
  /** Texts by the names of our options. */
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

const paths = new Set(["root", "tlsCert", "tlsKey"]);

/**
 * The member `server` of File Browser's `config export`. Commands are not switched on by it: they
 * were on there unless somebody had thought of switching them off.
 */
export function translateServer(record: Record<string, unknown>): TranslatedServer {
  const options = new Map<string, string>();
  const left: Note[] = [];
  for (const [name, value] of Object.entries(record)) {
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

/** Our own options, as our own export has them. */
export function ownServer(value: unknown): ReadonlyMap<string, string> {
  const entries = isRecord(value) ? Object.entries(value) : [];
  return new Map(entries.filter((entry): entry is [string, string] => isText(entry[1])));
}

function isText(value: unknown): value is string | number {
  return typeof value === "string" || typeof value === "number";
}

/** A path that starts in a folder nobody knows. */
function isAdrift(name: string, value: unknown): boolean {
  return paths.has(name) && !isAbsolute(String(value));
}
