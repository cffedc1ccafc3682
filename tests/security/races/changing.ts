/** All that changes something below a swapped folder, or brings something in or out. */
import { join } from "node:path";
import type { ReceivedFile } from "../../../lib/shared/schemas/upload.ts";
import { manyFilesBody } from "../../support/data/many_files.ts";
import { plant } from "../../support/disks/files.ts";
import { failureOf, judge, type Operation, type Outcome, placeOf } from "./operation.ts";
import { isThere, removeTree, secretsAt, type Stage } from "./stage.ts";
import { insideText, plainTree } from "./trees.ts";

/** An answer whose text tells nothing. */
export const any = /^/;

/** Where the folder of an operation really is. */
export const really = (stage: Stage, name: string) => join(stage.inside, name);

async function write(stage: Stage, method: string, path: string): Promise<Outcome> {
  const body = `${insideText} again`;
  return judge(await stage.call(method, `/api/resources${path}`, { body }), any);
}

async function transfer(stage: Stage, action: string, from: string, to: string): Promise<Outcome> {
  const query = `action=${action}&destination=${encodeURIComponent(to)}`;
  return judge(await stage.call("PATCH", `/api/resources${from}?${query}`), any);
}

/** A success must have put the entry inside, and nowhere else. */
export function arrived(outcome: Outcome, path: string): Outcome {
  if (outcome !== "reached" || isThere(path)) return outcome;
  return { hit: `reported as done, but "${path}" is not there` };
}

/** What came out into the user's folder is from inside. */
export async function cameOut(outcome: Outcome, path: string): Promise<Outcome> {
  if (outcome !== "reached") return outcome;
  const [hit] = secretsAt(path);
  await removeTree(path);
  return hit === undefined ? outcome : { hit };
}

/** A new file, by turns also in a new folder. */
const upload: Operation = {
  name: "upload",
  async attempt(stage, round) {
    const file = round % 2 === 0 ? `n${round}.txt` : `p${round}/n.txt`;
    const outcome = await write(stage, "POST", `${placeOf("upload")}/${file}`);
    return arrived(outcome, join(really(stage, "upload"), file));
  },
};

/** Some files in one request, by turns also in a new folder. */
const uploadMany: Operation = {
  name: "upload-many",
  async attempt(stage, round) {
    const names = [`n${round}.txt`, `p${round}/n.txt`, `p${round}/o.txt`];
    const body = manyFilesBody(names.map((path) => ({ path, text: insideText })));
    const answer = await stage.call("POST", `/api/uploads${placeOf("upload-many")}/`, { body });
    const outcome = judge(answer, any);
    if (outcome !== "reached") return outcome;
    const { files }: { files: ReceivedFile[] } = JSON.parse(answer.text);
    let arrivals: Outcome = "refused";
    for (const [index, { status, message = "" }] of files.entries()) {
      const failure = failureOf({ ...answer, status, text: message });
      if (failure) return failure;
      if (status !== 200) continue;
      arrivals = arrived("reached", join(really(stage, "upload-many"), names[index] ?? ""));
      if (arrivals !== "reached") return arrivals;
    }
    return arrivals;
  },
};

const uploadOver: Operation = {
  name: "upload-over",
  attempt: (stage) => write(stage, "POST", `${placeOf("upload-over")}/a.txt?override=true`),
};

const save: Operation = {
  name: "save",
  attempt: (stage) => write(stage, "PUT", `${placeOf("save")}/a.txt`),
};

const makeFolder: Operation = {
  name: "new-folder",
  async attempt(stage, round) {
    const folder = round % 2 === 0 ? `n${round}` : `p${round}/n`;
    const path = `/api/resources${placeOf("new-folder")}/${folder}/`;
    const outcome = judge(await stage.call("POST", path), any);
    return arrived(outcome, join(really(stage, "new-folder"), folder));
  },
};

const copyIn: Operation = {
  name: "copy-in",
  async attempt(stage, round) {
    const from = round % 2 === 0 ? "/own.txt" : "/own";
    const outcome = await transfer(stage, "copy", from, `${placeOf("copy-in")}/c${round}`);
    return arrived(outcome, join(really(stage, "copy-in"), `c${round}`));
  },
};

const copyOut: Operation = {
  name: "copy-out",
  async attempt(stage, round) {
    const place = placeOf("copy-out");
    const from = round % 2 === 0 ? `${place}/a.txt` : place;
    const outcome = await transfer(stage, "copy", from, `/copies/${round}`);
    return await cameOut(outcome, join(stage.home, "copies", `${round}`));
  },
};

const moveIn: Operation = {
  name: "move-in",
  async attempt(stage, round) {
    const source = join(stage.home, "moving", `m${round}`);
    if (round % 2 === 0) await Deno.writeTextFile(source, insideText);
    else await plantFolder(source);
    const to = `${placeOf("move-in")}/m${round}`;
    const outcome = await transfer(stage, "rename", `/moving/m${round}`, to);
    if (outcome === "refused" && !isThere(source)) return { hit: "a refused move took its source" };
    if (outcome === "refused") await removeTree(source);
    return arrived(outcome, join(really(stage, "move-in"), `m${round}`));
  },
};

const moveOut: Operation = {
  name: "move-out",
  async attempt(stage, round) {
    const name = round % 2 === 0 ? "a.txt" : "deep";
    const source = join(really(stage, "move-out"), name);
    if (!isThere(source)) {
      if (name === "a.txt") await Deno.writeTextFile(source, insideText);
      else await plantFolder(source);
    }
    const to = `/moved/${round}`;
    const outcome = await transfer(stage, "rename", `${placeOf("move-out")}/${name}`, to);
    if (outcome === "refused" && !isThere(source)) return { hit: "a refused move took its source" };
    return await cameOut(outcome, join(stage.home, to));
  },
};

const rename: Operation = {
  name: "rename",
  async attempt(stage) {
    const place = placeOf("rename");
    return await renamed(
      really(stage, "rename"),
      (from, to) => transfer(stage, "rename", `${place}/${from}`, `${place}/${to}`),
    );
  },
};

/** Renames "a.txt" in a folder, or what has become of it: it is there by either name afterwards. */
export async function renamed(
  folder: string,
  rename: (from: string, to: string) => Promise<Outcome>,
): Promise<Outcome> {
  const isFirst = isThere(join(folder, "a.txt"));
  const [from, to] = isFirst ? ["a.txt", "b.txt"] : ["b.txt", "a.txt"];
  const outcome = await rename(from, to);
  return arrived(outcome, join(folder, outcome === "refused" ? from : to));
}

const deleteFile: Operation = {
  name: "delete-file",
  async attempt(stage) {
    const file = join(really(stage, "delete-file"), "a.txt");
    await Deno.writeTextFile(file, insideText);
    return await remove(stage, `${placeOf("delete-file")}/a.txt`, file);
  },
};

const deleteFolder: Operation = {
  name: "delete-folder",
  async attempt(stage) {
    const folder = join(really(stage, "delete-folder"), "deep");
    await removeTree(folder);
    await plantFolder(folder);
    return await remove(stage, `${placeOf("delete-folder")}/deep`, folder);
  },
};

async function remove(stage: Stage, path: string, real: string): Promise<Outcome> {
  const call = async () => judge(await stage.call("DELETE", `/api/resources${path}`), any);
  return await removed(real, call);
}

/** A success must have taken the entry away. */
export async function removed(path: string, remove: () => Promise<Outcome>): Promise<Outcome> {
  const outcome = await remove();
  const isLeft = outcome === "reached" && isThere(path);
  return isLeft ? { hit: `reported as deleted, but "${path}" is there` } : outcome;
}

/** The folder that is copied, moved and deleted holds the one that is swapped. */
const around: Operation = {
  name: "around",
  place: "around",
  async attempt(stage, round) {
    await stage.renew();
    const there = `/moved/around${round}`;
    const work = ["copy", "rename", "delete"][round % 3] ?? "";
    if (work === "delete") {
      return judge(await stage.call("DELETE", "/api/resources/around"), any);
    }
    const outcome = await transfer(stage, work, "/around", there);
    const copy = join(stage.home, there);
    if (work === "rename" && outcome === "reached") {
      return judge(await stage.call("DELETE", `/api/resources${there}`), any);
    }
    return await cameOut(outcome, copy);
  },
};

async function plantFolder(path: string): Promise<void> {
  await Deno.mkdir(path);
  await plant(path, plainTree);
}

/** The operations. */
export const changingOperations: readonly Operation[] = [
  ...[upload, uploadMany, uploadOver, save, makeFolder, copyIn, copyOut, moveIn, moveOut, rename],
  ...[deleteFile, deleteFolder, around],
];
