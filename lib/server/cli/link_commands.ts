import { isoOf } from "../../shared/time.ts";
import { type ApiCommand, apiCommand, type Columns } from "./api_commands.ts";
import { sizeText } from "./texts.ts";

const lifetime = (item: Record<string, unknown>) => timeOf(item.expire, "never");

const shareColumns: Columns = {
  hash: "hash",
  path: "path",
  user: ownerOf,
  ends: lifetime,
  password: "hasPassword",
  name: "name",
  downloads: ({ downloads = 0, downloadLimit }) =>
    downloadLimit ? `${downloads} of ${downloadLimit}` : downloads,
  for: ({ audience, anyone, anyoneMay }) => {
    const named = (audience as { name: string; may: string }[] | undefined)
      ?.map(({ name, may }) => `${name}:${may}`);
    const all = anyoneMay ? `anyone:${anyoneMay}` : "anyone";
    if (!named) return all;
    return anyone ? [...named, all] : named;
  },
};

const requestColumns: Columns = {
  hash: "hash",
  path: "path",
  user: ownerOf,
  ends: lifetime,
  password: "hasPassword",
  title: "title",
  files: "files",
  size: ({ bytes }) => sizeText(Number(bytes)),
  last: ({ lastReceived }) => timeOf(lastReceived, "never"),
};

const audienceFlag = {
  audience: {
    name: "audience",
    value: "NAME[:RIGHT],…",
    about: "The only users and groups (with an @) who may open it, with view, download, upload " +
      'or edit; "" for anyone with the link.',
    read: readAudience,
  },
};

const declared: readonly ApiCommand[] = [
  {
    name: "sessions ls",
    about: "list the open sessions of a user",
    ...{ route: "sessions/index", method: "GET", as: "required" },
    show: {
      id: "sid",
      created: "created",
      "last seen": "lastSeen",
      address: "address",
      agent: "agent",
    },
  },
  {
    name: "sessions rm",
    about: "end a session of a user",
    ...{ route: "sessions/[sid]", method: "DELETE", words: ["id"], as: "required" },
    show: (id) => `Ended the session "${id}"`,
  },
  {
    name: "sessions clear",
    about: "end all sessions of a user",
    ...{ route: "sessions/index", method: "DELETE", as: "required" },
    show: () => "Ended all sessions of the user",
  },
  {
    name: "shares ls",
    about: "list all shares, or those of a user",
    ...{ route: "shares", method: "GET", as: "optional", queryAs: { own: "true" } },
    show: shareColumns,
  },
  {
    name: "shares add",
    about: "share an entry of a user",
    ...{ route: "share/[...path]", method: "POST", words: ["path"], as: "required" },
    isAboutFiles: true,
    flags: audienceFlag,
    show: shareColumns,
  },
  {
    name: "shares update",
    about: "change a share",
    ...{ route: "share/[...path]", method: "PATCH", words: ["hash"], as: "optional" },
    isAboutFiles: true,
    flags: audienceFlag,
    show: shareColumns,
  },
  {
    name: "shares rm",
    about: "end a share",
    ...{ route: "share/[...path]", method: "DELETE", words: ["hash"], as: "optional" },
    isAboutFiles: true,
    show: (hash) => `Ended the share "${hash}"`,
  },
  {
    name: "requests ls",
    about: "list all requests for files, or those of a user",
    ...{ route: "requests", method: "GET", as: "optional", queryAs: { own: "true" } },
    show: requestColumns,
  },
  {
    name: "requests add",
    about: "request files for a folder of a user",
    ...{ route: "request/[...path]", method: "POST", words: ["path"], as: "required" },
    isAboutFiles: true,
    show: requestColumns,
  },
  {
    name: "requests update",
    about: "change a request for files",
    ...{ route: "request/[...path]", method: "PATCH", words: ["hash"], as: "optional" },
    isAboutFiles: true,
    show: requestColumns,
  },
  {
    name: "requests rm",
    about: "end a request for files; received files stay",
    ...{ route: "request/[...path]", method: "DELETE", words: ["hash"], as: "optional" },
    show: (hash) => `Ended the request "${hash}"`,
  },
  {
    name: "invites ls",
    about: "list the invitations and reset links that still work",
    ...{ route: "invites/index", method: "GET" },
    show: {
      ...{ id: "id", kind: "kind", name: "username", by: "by" },
      ...{ created: "created", ends: "expires" },
    },
  },
  {
    name: "invites rm",
    about: "withdraw an invitation or a reset link",
    ...{ route: "invites/[id]", method: "DELETE", words: ["id"] },
    show: (id) => `Withdrew the link "${id}"`,
  },
  {
    name: "trash ls",
    about: "list the trash of a user, the latest first",
    ...{ route: "trash/index", method: "GET", as: "required" },
    show: {
      ...{ id: "id", path: ({ path, name }) => path ?? name },
      size: ({ size, isDir }) => isDir && size === 0 ? "folder" : sizeText(Number(size)),
      ...{ deleted: "deleted", expires: "expires" },
    },
  },
  {
    name: "trash restore",
    about: "restore an entry from the trash of a user",
    ...{ route: "trash/[id]", method: "POST", words: ["id"], as: "required" },
    isAboutFiles: true,
    show: (_, { headers }) => `Restored to ${restoredPath(headers)}`,
  },
  {
    name: "trash rm",
    about: "permanently delete an entry in the trash of a user",
    ...{ route: "trash/[id]", method: "DELETE", words: ["id"], as: "required" },
    isAboutFiles: true,
    show: (id) => `Deleted "${id}"`,
  },
  {
    name: "trash empty",
    about: "empty the trash of a user",
    ...{ route: "trash/index", method: "DELETE", as: "required" },
    isAboutFiles: true,
    show: () => "Emptied the trash of the user",
  },
  {
    name: "trash usage",
    about: "show how much the trash of each user holds",
    ...{ route: "trash/usage", method: "GET", items: "users" },
    isAboutFiles: true,
    show: {
      ...{ id: "id", name: "name", entries: "entries" },
      size: ({ bytes }) => sizeText(Number(bytes)),
    },
  },
];

/** The commands about sessions, links and the trash: calls of the API. */
export const linkCommands = declared.map(apiCommand);

function ownerOf({ username, userID }: Record<string, unknown>): unknown {
  return username ?? userID;
}

/** @param seconds since 1970; 0 for none */
function timeOf(seconds: unknown, none: string): string {
  return seconds ? isoOf(Number(seconds) * 1000) : none;
}

/** The path in the address that a restored entry has. */
function restoredPath(headers: Headers): string {
  const address = headers.get("content-location") ?? "";
  return decodeURIComponent(address.replace(/^\/api\/resources/, ""));
}

/** Reads whom a share is for: `anna:upload,@Team`; an empty text is anyone with the link. */
function readAudience(text: string): unknown {
  const names = text.split(",").map((part) => part.trim()).filter(Boolean);
  if (names.length === 0) return null;
  return names.map((part) => {
    const colon = part.lastIndexOf(":");
    return colon < 0 ? part : { name: part.slice(0, colon), may: part.slice(colon + 1) };
  });
}
