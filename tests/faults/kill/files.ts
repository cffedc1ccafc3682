/** Uploads, shares, settings and the trash. */
import { join } from "node:path";
import type { ReceivedFile } from "../../../lib/shared/schemas/upload.ts";
import type { Kind } from "./kind.ts";
import {
  bytesOf,
  digestOf,
  longAgo,
  manyFiles,
  type Place,
  plantAt,
  type Planted,
} from "./place.ts";

const size = 6 * 1024 * 1024;
const former = bytesOf("former", 700_000);
const sent = bytesOf("sent", size);
const again = `version ${digestOf(sent)}`;
const modified = `modified=${longAgo.getTime()}`;

const withFormer = (place: Place) => plantAt(place.near, { "file.bin": former });
const nothing = () => {};

/** Sends a file in one request. */
function whole(
  name: string,
  prepare: Kind["prepare"],
  [method, path]: readonly [string, string],
): Kind {
  return {
    name,
    prepare,
    async run(place) {
      const answer = await place.user.call(method, `/api/resources${place.nearPath}/${path}`, {
        body: sent,
      });
      place.isAccepted = true;
      await answer.body?.cancel();
    },
  };
}

/** Sends a file in parts, and goes on where the server was killed. */
function parts(name: string, prepare: Kind["prepare"], query: string): Kind {
  const count = 8;
  const url = ({ nearPath }: Place) => `/api/tus${nearPath}/file.bin`;
  const part = { "content-type": "application/offset+octet-stream" };

  async function start(place: Place): Promise<void> {
    const time = btoa(String(longAgo.getTime()));
    const headers = { "upload-length": `${size}`, "upload-metadata": `lastModified ${time}` };
    await (await place.user.call("POST", url(place) + query, { headers })).body?.cancel();
  }
  async function send(place: Place, from: number): Promise<void> {
    for (let offset = from; offset < size;) {
      const end = Math.min(size, offset + size / count);
      const headers = { ...part, "upload-offset": `${offset}` };
      const body = sent.slice(offset, end);
      await (await place.user.call("PATCH", url(place), { headers, body })).body?.cancel();
      offset = end;
      place.notes.set("arrived", `${offset}`);
    }
    place.isAccepted = true;
  }
  return {
    name,
    prepare,
    // A client that is killed out of the last answer sends the file again, over itself.
    allows: (lines, { after }) =>
      lines.filter((line) => !line.endsWith(again)).join() === after.join(),
    async run(place) {
      await start(place);
      await send(place, 0);
    },
    async goOn(place) {
      if (place.isAccepted) return;
      const state = await place.user.ask("HEAD", url(place));
      if (state.status === 404) {
        const arrived = Number(place.notes.get("arrived") ?? 0);
        if (arrived > 0 && arrived < size * (1 - 1 / count)) throw new Error("It is forgotten");
        const json = await place.user.ask("POST", url(place) + query, {
          headers: { "upload-length": `${size}` },
        });
        await json.body?.cancel();
        if (json.status !== 409) {
          await start(place);
          await send(place, 0);
        }
        place.isAccepted = true;
        return;
      }
      const offset = Number(state.headers.get("upload-offset"));
      if (offset < Number(place.notes.get("arrived") ?? 0)) throw new Error("Bytes are lost");
      if (offset < size) await send(place, offset);
      else {
        const headers = { ...part, "upload-offset": `${size}` };
        await (await place.user.call("PATCH", url(place), { headers })).body?.cancel();
        place.isAccepted = true;
      }
    },
  };
}

/** Files of some requests for many, half of them over others. */
const small = Array.from({ length: 120 }, (_, index) => `many/${index % 3}/${index}.txt`);
const smallAtOnce = 40;
const smallBytes = (name: string) => bytesOf(name, 100 + name.length * 40);

/** Sends many files in some requests at once, and all of them again where the server was killed. */
const many: Kind = {
  name: "many files in a request",
  prepare({ near }) {
    const formers = small.filter((_, index) => index % 2 === 0);
    plantAt(near, { "many/0": null, "many/1": null, "many/2": null });
    for (const name of formers) plantAt(near, { [name]: bytesOf(`former ${name}`, 700) });
  },
  async run(place) {
    const starts = [0, smallAtOnce, 2 * smallAtOnce];
    await Promise.all(starts.map(async (start) => {
      const files = small.slice(start, start + smallAtOnce);
      await sendMany(place, files, false);
      for (const name of files) place.notes.set(name, "answered");
    }));
    place.isAccepted = true;
  },
  async goOn(place) {
    for (const name of small) {
      const now = await Deno.readFile(join(place.near, name)).catch(() => null);
      const isNew = now !== null && digestOf(now) === digestOf(smallBytes(name));
      const isFormer = now !== null && digestOf(now) === digestOf(bytesOf(`former ${name}`, 700));
      const answered = place.notes.has(name);
      if (isNew || (!answered && (now === null || isFormer))) continue;
      throw new Error(`${answered ? "Answered" : "Half written"}: "${name}"`);
    }
    for (let start = 0; start < small.length; start += smallAtOnce) {
      await sendMany(place, small.slice(start, start + smallAtOnce), true);
    }
    place.isAccepted = true;
  },
};

async function sendMany(
  { user, nearPath }: Place,
  names: string[],
  resent: boolean,
): Promise<void> {
  const files = names.map((path) => ({
    ...{ path, resent, override: true, modified: longAgo.getTime() },
    size: smallBytes(path).length,
  }));
  const body = new Blob([`${JSON.stringify({ files })}\n`, ...names.map(smallBytes)]);
  const answer = await user.call("POST", `/api/uploads${nearPath}/`, { body });
  const received: { files: ReceivedFile[] } = await answer.json();
  const refused = received.files.find(({ status }) => status !== 200);
  if (refused) throw new Error(refused.message);
}

/** Sends a file by WebDAV. */
function putByDav(name: string, prepare: Kind["prepare"]): Kind {
  const headers = { "x-oc-mtime": String(longAgo.getTime() / 1000) };
  return {
    name,
    prepare,
    async run(place) {
      const answer = await place.user.dav("PUT", `${place.nearPath}/file.bin`, {
        headers,
        body: sent,
      });
      place.isAccepted = true;
      await answer.body?.cancel();
    },
  };
}

/** Copies or moves by WebDAV, where nothing goes on with it later. */
function transferByDav(
  name: string,
  method: "COPY" | "MOVE",
  [from, to]: readonly [string, string],
): Kind {
  const planted: Planted = {
    ...manyFiles("tree", 60, 4 * 1024 * 1024),
    ...{ "file.bin": sent, "former.bin": former },
    ...{ into: null, "into/folder 1": null },
    "into/own.txt": bytesOf("own", 400),
    "into/folder 1/1.txt": bytesOf("former", 500),
  };
  const digests = new Set(Object.values(planted).flatMap((bytes) => bytes ? digestOf(bytes) : []));
  const isFile = (line: string) => line.startsWith("near/") && !/\/ \d+( \w+)?$/.test(line);
  return {
    name,
    prepare: ({ near }) => plantAt(near, planted),
    async run(place) {
      const { user, nearPath } = place;
      const headers = { destination: `/dav${nearPath}/${to}` };
      const answer = await user.dav(method, `${nearPath}/${from}`, { headers });
      place.isAccepted = true;
      await answer.body?.cancel();
    },
    // Each file is whole, and none is lost: what was to be replaced may be in the trash.
    allows(lines) {
      const found = new Set(lines.filter(isFile).map((line) => line.split(" ").at(-1) ?? ""));
      const isInTrash = lines.some((line) => line.startsWith("trash "));
      return [...found].every((digest) => digests.has(digest)) &&
        [...digests].every((digest) => found.has(digest) || isInTrash);
    },
  };
}

/** One call after another about entries of a folder, of which some are answered. */
function calls(
  name: string,
  prepare: (place: Place) => Promise<void>,
  call: (place: Place, index: number) => [method: string, path: string],
  options: Partial<Kind> = {},
): Kind {
  return {
    name,
    prepare,
    async run(place) {
      for (let index = 0; index < entries.length; index++) {
        const [method, path] = call(place, index);
        await (await place.user.call(method, path)).body?.cancel();
        place.notes.set("answered", `${index + 1}`);
      }
      place.isAccepted = true;
    },
    // Those that were answered are done; the next one may be.
    async goOn(place) {
      for (let index = Number(place.notes.get("answered") ?? 0); index < entries.length; index++) {
        const [method, path] = call(place, index);
        await (await place.user.ask(method, path)).body?.cancel();
      }
      place.isAccepted = true;
    },
    ...options,
  };
}

const entries = Array.from({ length: 12 }, (_, index) => `entry ${index}.txt`);

function plantEntries({ near }: Place): void {
  for (const name of entries) plantAt(near, { [name]: bytesOf(name, 5000) });
}

async function share({ user, nearPath }: Place, name: string): Promise<void> {
  await (await user.call("POST", `/api/share${nearPath}/${name}`)).body?.cancel();
}

async function shareAll(place: Place): Promise<void> {
  plantEntries(place);
  for (const name of entries) await share(place, name);
}

async function trashAll(place: Place): Promise<void> {
  plantEntries(place);
  for (const [index, name] of entries.entries()) {
    const path = `/api/resources${place.nearPath}/${name}?trash=true`;
    const answer = await place.user.call("DELETE", path);
    place.notes.set(`id ${index}`, answer.headers.get("content-location") ?? "");
    await answer.body?.cancel();
  }
}

const settings: Kind = {
  name: "settings",
  isUnseen: true,
  prepare: nothing,
  async run(place) {
    const { user, stand } = place;
    const [admin = user] = stand.users;
    const now = await (await admin.call("GET", "/api/settings")).json();
    for (let days = 31; days <= 40; days++) {
      const trash = { ...now.trash, days };
      const json = { ...now, trash, current_password: stand.admin.password };
      await (await admin.call("PUT", "/api/settings", { json })).body?.cancel();
      place.notes.set("days", `${days}`);
    }
    place.isAccepted = true;
  },
  async goOn({ stand, notes, user }) {
    const [admin = user] = stand.users;
    const { trash: { days } } = await (await admin.call("GET", "/api/settings")).json();
    const answered = Number(notes.get("days") ?? days);
    if (days < answered || days > answered + 1) throw new Error(`${answered} days are ${days}`);
  },
};

/** All of them. */
export const fileKinds: Kind[] = [
  whole("upload", nothing, ["POST", `file.bin?${modified}`]),
  whole("upload over a file", withFormer, ["POST", `file.bin?override=true&${modified}`]),
  whole("save", withFormer, ["PUT", "file.bin"]),
  parts("upload in parts", nothing, ""),
  parts("upload in parts over a file", withFormer, "?override=true"),
  putByDav("PUT by WebDAV", nothing),
  putByDav("PUT by WebDAV over a file", withFormer),
  transferByDav("COPY by WebDAV", "COPY", ["tree", "copied"]),
  transferByDav("COPY by WebDAV over a folder", "COPY", ["tree", "into"]),
  transferByDav("MOVE by WebDAV over a folder", "MOVE", ["tree", "into"]),
  transferByDav("MOVE by WebDAV over a file", "MOVE", ["file.bin", "former.bin"]),
  transferByDav("MOVE by WebDAV of a file over a folder", "MOVE", ["file.bin", "into"]),
  many,
  settings,
  calls(
    "share",
    (place) => Promise.resolve(plantEntries(place)),
    ({ nearPath }, index) => ["POST", `/api/share${nearPath}/${entries[index]}`],
  ),
  calls(
    "delete shared files",
    shareAll,
    ({ nearPath }, index) => ["DELETE", `/api/resources${nearPath}/${entries[index]}?trash=false`],
  ),
  calls(
    "rename shared files",
    shareAll,
    ({ nearPath }, index) => [
      "PATCH",
      `/api/resources${nearPath}/${entries[index]}?action=rename&destination=${nearPath}/n${index}`,
    ],
  ),
  calls(
    "restore",
    trashAll,
    ({ notes }, index) => ["POST", notes.get(`id ${index}`) ?? ""],
  ),
  calls("empty the trash", trashAll, () => ["DELETE", "/api/trash"], { isAlone: true }),
];
