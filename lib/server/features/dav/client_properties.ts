import type { Checksums } from "./file_checksums.ts";
import type { ClientFacts, EntryShares } from "./client_facts.ts";
import {
  davProperties,
  declareProperties,
  type LiveProperties,
  type LiveProperty,
  type ReadLive,
} from "./live_properties.ts";
import type { MediaInfo } from "../../../shared/schemas/media.ts";
import type { DeadProperty, MultistatusForm } from "./multistatus.ts";
import { shareBitsOf } from "./permission_letters.ts";
import {
  collaboration,
  davNamespace,
  escapeXml,
  nextcloud,
  ownCloud,
  xmlDeclaration,
} from "./xml/write_xml.ts";
import { modifiedOf } from "../../files/listing/entries.ts";

/** What an id ends with in `oc:id`, which starts with its digits. */
const idEnd = "occubby";

/** `oc:id`: clients read the digits at its start as `oc:fileid`. @param id decimal digits */
export function wholeId(id: string): string {
  return id.padStart(8, "0") + idEnd;
}

/** The property with the time at which a client says that a file was made, in milliseconds. */
export function creationTime(time: number): DeadProperty {
  const [ns, name] = [nextcloud, "creation_time"];
  const xml = `<n:${name} xmlns:n="${ns}">${seconds(new Date(time))}</n:${name}>`;
  return { ns, name, xml };
}

/** The names of checksums, in the order of answers. */
const checksumOrder = ["SHA1", "SHA256", "MD5"] as const;

/** Checksums as headers and properties have them: `SHA1:da39… MD5:d41d…`; "" for none. */
export function checksumText(sums: Checksums): string {
  return checksumOrder.flatMap((name) => sums[name] ? [`${name}:${sums[name]}`] : []).join(" ");
}

/** A property of which the facts that were read ahead tell. */
function known(
  read: (client: ClientFacts, entry: Parameters<ReadLive>[0]) => string | null,
): ReadLive {
  return (entry) => entry.client ? read(entry.client, entry) : null;
}

const flag = (isSet: boolean) => isSet ? "1" : "0";
const truth = (isSet: boolean) => String(isSet);
const seconds = (time: Date | null) =>
  String(Math.max(0, Math.floor((time?.getTime() ?? 0) / 1000)));

const dav = { ns: davNamespace, prefix: "d" };

const ownCloudProperties: Record<string, ReadLive> = {
  id: known(({ id }) => id && wholeId(id)),
  fileid: known(({ id }) => id),
  permissions: known(({ permissions }) => permissions),
  size: known(({ folder }, { info }) =>
    info.isDirectory ? folder && String(folder.bytes) : String(info.size)
  ),
  checksums: known(({ checksums }) => {
    const text = checksums ? checksumText(checksums) : "";
    return text === "" ? null : `<oc:checksum>${text}</oc:checksum>`;
  }),
  favorite: known(({ isFavorite }) => flag(isFavorite)),
  "share-types": known(({ shares }) => shareTypesOf(shares)),
  "owner-id": known(({ owner }) => escapeXml(owner)),
  "owner-display-name": known(({ owner }) => escapeXml(owner)),
  // It would change after a restore of the server from a backup, which nothing here tells.
  "data-fingerprint": known(() => ""),
  "comments-unread": known(() => "0"),
};

const nextcloudProperties: Record<string, ReadLive> = {
  "has-preview": known(({ hasPreview }) => truth(hasPreview)),
  sharees: known(({ shares }) => shareesOf(shares)),
  "is-encrypted": known(() => "0"),
  "mount-type": known(() => ""),
  "is-mount-root": known(() => "false"),
  hidden: known(() => "false"),
  // Zero where the disk does not know, as in Nextcloud.
  creation_time: known((_, { info }) => seconds(info.birthtime)),
  // What is written is always a new file.
  upload_time: known((_, { info }) =>
    info.isDirectory ? null : seconds(info.birthtime ?? modifiedOf(info))
  ),
  "contained-folder-count": known(({ content }) => content && String(content.folders)),
  "contained-file-count": known(({ content }) => content && String(content.files)),
  "metadata-photos-size": known(({ media }) => partsOf(media, "width", "height")),
  "metadata-photos-gps": known(({ media }) => partsOf(media, "latitude", "longitude")),
  "metadata-photos-original_date_time": known(({ media }) => takenSeconds(media)),
  // An app links the two files of a live photo: only what it has set is there.
  "metadata-files-live-photo": () => null,
  lock: known(({ lock }) => flag(lock !== null)),
  "lock-owner": known(({ lock }) => lock && escapeXml(lock.username)),
  "lock-owner-displayname": known(({ lock }) => lock && escapeXml(lock.username)),
  // A lock by a token, which WebDAV's locks are.
  "lock-owner-type": known(({ lock }) => lock && "2"),
  "lock-time": known(({ lock }) => lock && String(Math.floor(lock.expires / 1000) - lock.seconds)),
  "lock-timeout": known(({ lock }) => lock && String(lock.seconds)),
  "lock-token": known(({ lock }) => lock?.isOwn ? escapeXml(lock.token) : null),
};

/** The properties at the addresses of clients that sync: WebDAV's own and theirs. */
const clientProperties: LiveProperties = new Map([
  ...[...davProperties].map(([key, property]): [string, LiveProperty] => [key, {
    ...property,
    element: `${dav.prefix}:${property.name}`,
  }]),
  ...declareProperties(dav, {
    resourcetype: ({ info }) => info.isDirectory ? "<d:collection/>" : "",
    getlastmodified: ({ info }) => clientTime(modifiedOf(info)).toUTCString(),
  }, { onlyByName: false, settable: ["getlastmodified"] }),
  ...declareProperties(dav, {
    lastmodified: ({ info }) => seconds(clientTime(modifiedOf(info))),
  }, { onlyByName: true, settable: ["lastmodified"] }),
  ...declareProperties({ ns: ownCloud, prefix: "oc" }, ownCloudProperties, { onlyByName: true }),
  // The app for iOS looks for this prefix.
  ...declareProperties({ ns: collaboration, prefix: "x1" }, {
    "share-permissions": known(({ permissions }, { info }) =>
      String(shareBitsOf(permissions, info.isDirectory))
    ),
  }, { onlyByName: true }),
  ...declareProperties({ ns: nextcloud, prefix: "nc" }, nextcloudProperties, {
    onlyByName: true,
    settable: ["creation_time", "metadata-files-live-photo"],
  }),
]);

/**
 * The next time that clients of Nextcloud take: of a file from 1970 or before, as some archives make
 * them, or from after 2106, they say "invalid modification time", and leave it alone.
 */
export function clientTime(time: Date): Date {
  return new Date(Math.min(Math.max(time.getTime(), 1000), (2 ** 32 - 2) * 1000));
}

/**
 * The form of multistatus documents at the addresses of clients that sync. Nextcloud's phone apps
 * look for the prefixes `d`, `oc` and `nc` themselves, whatever they are declared to mean.
 */
export const clientForm: MultistatusForm = {
  properties: clientProperties,
  start: `${xmlDeclaration}<d:multistatus xmlns:d="DAV:" xmlns:D="DAV:" ` +
    `xmlns:s="http://sabredav.org/ns" xmlns:oc="${ownCloud}" xmlns:nc="${nextcloud}" ` +
    `xmlns:x1="${collaboration}">\n`,
  end: "</d:multistatus>\n",
  maxLiveLength: 12_000,
  dav: dav.prefix,
  prefixes: new Map([[ownCloud, "oc"], [nextcloud, "nc"], [collaboration, "x1"]]),
};

/** Two numbers that belong together, in elements without a namespace, as clients read them. */
function partsOf(
  media: MediaInfo | null,
  ...names: ("width" | "height" | "latitude" | "longitude")[]
): string | null {
  const parts = names.map((name) => ({ name, value: media?.[name] }));
  if (parts.some(({ value }) => value === undefined)) return null;
  return parts.map(({ name, value }) => `<${name}>${value}</${name}>`).join("");
}

/** When a photo was taken, in seconds; by the clock of the camera where its zone is not known. */
function takenSeconds(media: MediaInfo | null): string | null {
  const time = Date.parse(`${media?.taken}${media?.takenZone ?? "Z"}`);
  return Number.isNaN(time) ? null : seconds(new Date(time));
}

/** The numbers of kinds of shares: with a user, with a group, by a link. */
export const shareTypes = { user: 0, group: 1, link: 3 };

function shareTypesOf(shares: EntryShares | null): string {
  if (!shares) return "";
  const kinds = new Set(shares.names.map((name) => kindOf(name)));
  if (shares.isPublic) kinds.add(shareTypes.link);
  return [...kinds].map((kind) => `<oc:share-type>${kind}</oc:share-type>`).join("");
}

function shareesOf(shares: EntryShares | null): string {
  return (shares?.names ?? []).slice(0, maxSharees).map((name) => {
    const text = escapeXml(name.replace(/^@/, ""));
    return `<nc:sharee><nc:id>${text}</nc:id><nc:display-name>${text}</nc:display-name>` +
      `<nc:type>${kindOf(name)}</nc:type></nc:sharee>`;
  }).join("");
}

/** Most users and groups that are named. */
const maxSharees = 20;

function kindOf(name: string): number {
  return name.startsWith("@") ? shareTypes.group : shareTypes.user;
}
