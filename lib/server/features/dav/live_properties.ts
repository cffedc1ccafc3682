import { wellFormedName } from "../../../shared/entry_names.ts";
import type { EntryPath } from "../../../shared/path.ts";
import type { Facts } from "../../core/disk/facts.ts";
import { etagOf } from "../../files/content/open_content.ts";
import { mediaTypeOf } from "../../files/content/types.ts";
import { isoText, modifiedOf } from "../../files/listing/entries.ts";
import type { ClientFacts } from "./client_facts.ts";
import { keyOf, type PropertyName } from "./propfind.ts";
import { davNamespace, escapeXml } from "./xml/write_xml.ts";

/** An entry to describe by its properties. */
export interface DavEntry {
  path: EntryPath;
  /** "" for the root of a scope. */
  name: string;
  /** Of a link's target. */
  info: Facts;
  /** What only clients that sync ask for. */
  client?: ClientFacts;
}

/** The dependencies of live properties besides the entry. */
export interface LiveFacts {
  /** The free and the used bytes of the disk; null where they cannot be told. */
  quota(): { free: number; used: number } | null;
  /** The locks on an entry, as the content of `lockdiscovery`. */
  locksOn(entry: DavEntry): string;
}

/** The content of a live property as XML; null where the entry has no such property. */
export type ReadLive = (entry: DavEntry, facts: LiveFacts) => string | null;

/** A property that the server itself has. */
export interface LiveProperty extends PropertyName {
  /** Its name with the prefix of the namespace: `D:getetag`. */
  element: string;
  read: ReadLive;
  /** It is sent only when named: `allprop` leaves it out (RFC 4331, 3 and 4). */
  isOnlyByName: boolean;
  /** A client may set it: what one has set counts. */
  isSettable: boolean;
}

/** The live properties of some addresses by {@linkcode keyOf}. */
export type LiveProperties = ReadonlyMap<string, LiveProperty>;

/**
 * Declares properties of one namespace.
 *
 * @param namespace with the prefix that multistatus documents declare for it
 */
export function declareProperties(
  { ns, prefix }: { ns: string; prefix: string },
  reads: Record<string, ReadLive>,
  how: { onlyByName: boolean; settable?: readonly string[] },
): [key: string, property: LiveProperty][] {
  return Object.entries(reads).map(([name, read]) => [keyOf({ ns, name }), {
    ...{ ns, name, read, element: `${prefix}:${name}`, isOnlyByName: how.onlyByName },
    isSettable: how.settable?.includes(name) ?? false,
  }]);
}

const supportedLock = ["exclusive", "shared"].map((scope) =>
  `<D:lockentry><D:lockscope><D:${scope}/></D:lockscope>` +
  "<D:locktype><D:write/></D:locktype></D:lockentry>"
).join("");

const dav = { ns: davNamespace, prefix: "D" };

/** WebDAV's own live properties (RFC 4918, 15; RFC 4331). */
export const davProperties: LiveProperties = new Map([
  ...declareProperties(dav, {
    resourcetype: ({ info }) => info.isDirectory ? "<D:collection/>" : "",
    displayname: ({ name }) => escapeXml(wellFormedName(name)),
    getlastmodified: ({ info }) => modifiedOf(info).toUTCString(),
    creationdate: ({ info }) => isoText(createdOf(info)),
    getcontentlength: ({ info }) => info.isDirectory ? null : String(info.size),
    getcontenttype: ({ info, name }) => info.isDirectory ? null : escapeXml(mediaTypeOf(name)),
    getetag: ({ info, client }) => {
      if (!info.isDirectory) return escapeXml(etagOf(info));
      return client?.folder ? escapeXml(client.folder.etag) : null;
    },
    supportedlock: () => supportedLock,
    lockdiscovery: (entry, facts) => facts.locksOn(entry),
  }, { onlyByName: false }),
  ...declareProperties(dav, {
    "quota-available-bytes": ({ info }, facts) => info.isDirectory ? bytes(facts, "free") : null,
    "quota-used-bytes": ({ info }, facts) => info.isDirectory ? bytes(facts, "used") : null,
  }, { onlyByName: true }),
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
