import { displayName } from "../../../shared/entry_names.ts";
import type { EntryPath } from "../../../shared/path.ts";
import type { Facts } from "../../core/disk/facts.ts";
import { etagOf } from "../../files/content/open_content.ts";
import { mediaTypeOf } from "../../files/content/types.ts";
import { isoText, modifiedOf } from "../../files/listing/entries.ts";
import { escapeXml } from "./xml/write_xml.ts";

/** An entry to describe by its properties. */
export interface DavEntry {
  path: EntryPath;
  /** "" for the root of a scope. */
  name: string;
  /** Of a link's target. */
  info: Facts;
}

/** The dependencies of live properties besides the entry. */
export interface LiveFacts {
  /** The free and the used bytes of the disk; null where they cannot be told. */
  quota(): { free: number; used: number } | null;
  /** The locks on an entry, as the content of `lockdiscovery`. */
  locksOn(entry: DavEntry): string;
}

/** The content of a live property as XML; null where the entry has no such property. */
export type LiveProperty = (entry: DavEntry, facts: LiveFacts) => string | null;

const supportedLock = ["exclusive", "shared"].map((scope) =>
  `<D:lockentry><D:lockscope><D:${scope}/></D:lockscope>` +
  "<D:locktype><D:write/></D:locktype></D:lockentry>"
).join("");

/** The live properties by their names in the namespace `DAV:` (RFC 4918, 15). */
export const liveProperties: ReadonlyMap<string, LiveProperty> = new Map<string, LiveProperty>([
  ["resourcetype", ({ info }) => info.isDirectory ? "<D:collection/>" : ""],
  ["displayname", ({ name }) => escapeXml(displayName(name))],
  ["getlastmodified", ({ info }) => modifiedOf(info).toUTCString()],
  ["creationdate", ({ info }) => isoText(createdOf(info))],
  ["getcontentlength", ({ info }) => info.isDirectory ? null : String(info.size)],
  ["getcontenttype", ({ info, name }) => info.isDirectory ? null : escapeXml(mediaTypeOf(name))],
  ["getetag", ({ info }) => info.isDirectory ? null : escapeXml(etagOf(info))],
  ["supportedlock", () => supportedLock],
  ["lockdiscovery", (entry, facts) => facts.locksOn(entry)],
  ["quota-available-bytes", ({ info }, facts) => info.isDirectory ? bytes(facts, "free") : null],
  ["quota-used-bytes", ({ info }, facts) => info.isDirectory ? bytes(facts, "used") : null],
]);

/** Live properties that are sent only when named: `allprop` leaves them out (RFC 4331, 3 and 4). */
export const onlyByName: ReadonlySet<string> = new Set([
  "quota-available-bytes",
  "quota-used-bytes",
]);

function bytes(facts: LiveFacts, which: "free" | "used"): string | null {
  const quota = facts.quota();
  return quota && String(quota[which]);
}

/** File systems that do not know when an entry was made say nothing, or 1970. */
function createdOf(info: Facts): number {
  const born = info.birthtime?.getTime() ?? 0;
  return born > 0 ? born : modifiedOf(info).getTime();
}
