import { DomainError } from "../../../shared/errors.ts";
import type { RecipientRight } from "../../../shared/schemas/choices/choices.ts";
import { shareBits } from "../../features/dav/permission_letters.ts";
import { parseJson } from "../../files/text/parse_json.ts";
import { flagField, type OcsInput } from "./ocs_input.ts";

/** All permissions of a share. */
const allBits = 31;

/** The permissions that a right comes to. Nobody may pass on what others share. */
export function bitsOf(right: RecipientRight, isFolder: boolean): number {
  const { read, update, create, delete: remove } = shareBits;
  if (right === "edit") return isFolder ? read + update + create + remove : read + update;
  return right === "upload" ? read + create : read;
}

/** What a request says about what a share permits; undefined where it says nothing. */
export interface AskedRights {
  bits?: number;
  /** Whether what is shown may be saved. */
  download?: boolean;
}

/**
 * Reads what a share is to permit: `permissions`, `attributes` and `hideDownload`.
 *
 * @throws DomainError `invalid_option`
 */
export function readRights(fields: OcsInput): AskedRights {
  const text = fields.get("permissions") ?? "";
  const bits = text === "" ? undefined : Number(text);
  if (bits !== undefined && !(/^\d{1,3}$/.test(text) && bits <= allBits)) {
    const message = `Cannot read permissions: use a number from 1 to ${allBits}`;
    throw new DomainError("invalid_option", message);
  }
  if (bits !== undefined && (bits & shareBits.read) === 0) {
    const reason = "a share can be read at least; to collect files, request them in the browser";
    throw new DomainError("invalid_option", `Cannot give the permissions ${bits}: ${reason}`);
  }
  const hidden = flagField(fields, "hideDownload");
  return { bits, download: readDownload(fields) ?? (hidden === undefined ? undefined : !hidden) };
}

/** Most values in the attributes of a share. */
const maxValues = 200;

/** Whether attributes permit downloads; undefined where they do not say. */
function readDownload(fields: OcsInput): boolean | undefined {
  const text = fields.get("attributes") ?? "";
  if (text === "" || text === "null") return undefined;
  const list = parseAttributes(text);
  if (!Array.isArray(list)) {
    throw new DomainError("invalid_option", "Cannot read attributes: use a list in JSON");
  }
  const found = list.findLast((each) => each?.scope === "permissions" && each.key === "download");
  const value = found?.value ?? found?.enabled;
  return typeof value === "boolean" ? value : undefined;
}

function parseAttributes(text: string): unknown {
  try {
    return parseJson(new TextEncoder().encode(text), maxValues);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    throw new DomainError("invalid_option", "Cannot read attributes: they are not valid JSON");
  }
}

/** The attributes of somebody who may look at files, and not save them. */
export const viewAttributes = JSON.stringify([
  { scope: "permissions", key: "download", value: false, enabled: false },
]);

/**
 * The right of a user or a group that a request comes to, which is never more than it says. The
 * permission to update is that to edit, which in a folder is to add, rename and delete besides.
 *
 * @param before the present right; that of a new share unless given
 * @throws DomainError `invalid_option`
 */
export function rightFrom(
  { bits, download }: AskedRights,
  isFolder: boolean,
  before: RecipientRight = "download",
): RecipientRight {
  const asked = bits ?? bitsOf(before, isFolder);
  const may = asked & shareBits.update
    ? "edit"
    : isFolder && asked & shareBits.create
    ? "upload"
    : download ?? before !== "view"
    ? "download"
    : "view";
  if (download === false && may !== "view") {
    const reason = "who may change files may download them";
    throw new DomainError("invalid_option", `Cannot hide the download: ${reason}`);
  }
  return may;
}

/**
 * Reads what a link for anybody is to permit. `publicUpload`, which old clients send, counts in place
 * of `permissions`: all that can be done with files, or none of it.
 *
 * @throws DomainError `invalid_option`, also for uploads to a file
 */
export function readLinkRights(fields: OcsInput, isFolder: boolean): AskedRights {
  const rights = readRights(fields);
  const isOpen = flagField(fields, "publicUpload");
  if (isOpen === undefined) return rights;
  if (isOpen && !isFolder) {
    throw new DomainError("invalid_option", "Cannot let visitors upload: a file is shared");
  }
  return { ...rights, bits: bitsOf(isOpen ? "edit" : "download", isFolder) };
}

/**
 * Refuses a label or a note, which shares do not have: it would be lost.
 *
 * @throws DomainError `invalid_option`
 */
export function assertNoTexts(fields: OcsInput): void {
  for (const name of ["label", "note"]) {
    if ((fields.get(name) ?? "").trim() === "") continue;
    throw new DomainError("invalid_option", `Cannot add a ${name}: shares have none here`);
  }
}

/**
 * Reads `expireDate`, the last day of a share: `2030-12-31`, also with a time behind it.
 *
 * @param now milliseconds since 1970
 * @returns the end of that day (UTC) in seconds since 1970; 0 for no end, undefined for no word
 * @throws DomainError `invalid_option`, also for a day that is over
 */
export function readEnd(fields: OcsInput, now: number): number | undefined {
  const text = fields.get("expireDate");
  if (text === undefined) return undefined;
  if (text === "") return 0;
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)(?:[T ][\d:.+Z-]{0,30})?$/.exec(text) ?? [];
  const time = Date.UTC(Number(year), Number(month) - 1, Number(day), 23, 59, 59);
  if (year === undefined || dayOf(time / 1000) !== `${year}-${month}-${day}`) {
    throw new DomainError("invalid_option", "Cannot read expireDate: use a date as 2030-12-31");
  }
  if (time > now) return time / 1000;
  throw new DomainError("invalid_option", `Cannot share until ${dayOf(time / 1000)}: it is over`);
}

/** The day of a time (UTC). @param seconds since 1970 */
export function dayOf(seconds: number): string {
  return new Date(seconds * 1000).toISOString().slice(0, 10);
}
