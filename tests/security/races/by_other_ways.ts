/** What is done below a swapped folder by jobs, by WebDAV, by tus, and to the trash. */
import { join } from "node:path";
import { userPassword } from "../../support/server/app.ts";
import { basic } from "../../support/clients/dav.ts";
import { any, arrived, cameOut, really, removed, renamed } from "./changing.ts";
import { failureOf, judge, type Operation, type Outcome, placeOf } from "./operation.ts";
import type { Stage } from "./stage.ts";
import { insideText } from "./trees.ts";

async function job(
  stage: Stage,
  action: string,
  path: string,
  destination: string,
  more = {},
): Promise<Outcome> {
  const body = JSON.stringify({ action, entries: [{ path, destination, ...more }] });
  const begun = await stage.call("POST", "/api/jobs", { body });
  if (!begun.ok) return failureOf(begun) ?? "refused";
  const headers = { "accept": "application/json", "x-auth": stage.caller.token ?? "" };
  const ended = await stage.call("GET", `/api/jobs/${JSON.parse(begun.text).id}`, {
    headers: { ...headers, prefer: "wait=60" },
  });
  return judge(ended, /"failed":0/);
}

/** An archive of what is inside, beside the swapped folder's parent. */
const archiveOut: Operation = {
  name: "archive-out",
  async attempt(stage, round) {
    const to = `/copies/${round}.tar`;
    const outcome = await job(stage, "archive", placeOf("archive-out"), to, { format: "tar" });
    return await cameOut(outcome, join(stage.home, to));
  },
};

const archiveIn: Operation = {
  name: "archive-in",
  async attempt(stage, round) {
    const name = `n${round}.tar`;
    const to = `${placeOf("archive-in")}/${name}`;
    const outcome = await job(stage, "archive", "/own", to, { format: "tar" });
    return arrived(outcome, join(really(stage, "archive-in"), name));
  },
};

const extractIn: Operation = {
  name: "extract-in",
  async prepare(stage) {
    await job(stage, "archive", "/own", "/own.zip", { format: "zip" });
  },
  async attempt(stage, round) {
    const name = `n${round}`;
    const outcome = await job(stage, "extract", "/own.zip", `${placeOf("extract-in")}/${name}`);
    return arrived(outcome, join(really(stage, "extract-in"), name));
  },
};

const copyJob: Operation = {
  name: "copy-job",
  async attempt(stage, round) {
    const to = `/copies/${round}`;
    const outcome = await job(stage, "copy", placeOf("copy-job"), to);
    return await cameOut(outcome, join(stage.home, to));
  },
};

/** To the trash, and back to its place. */
const trash: Operation = {
  name: "trash",
  async attempt(stage, round) {
    const name = `n${round}.txt`;
    const file = join(really(stage, "trash"), name);
    await Deno.writeTextFile(file, insideText);
    let location = "";
    const outcome = await removed(file, async () => {
      const path = `/api/resources${placeOf("trash")}/${name}?trash=true`;
      const answer = await stage.call("DELETE", path);
      location = answer.location ?? "";
      return judge(answer, any);
    });
    if (outcome !== "reached") return outcome;
    return arrived(judge(await stage.call("POST", location), any), file);
  },
};

/** A resumable upload of one part. */
const tus: Operation = {
  name: "tus",
  async attempt(stage, round) {
    const name = `n${round}.txt`;
    const headers = {
      "accept": "application/json",
      "x-auth": stage.caller.token ?? "",
      "upload-length": `${insideText.length}`,
      "content-type": "application/offset+octet-stream",
    };
    const path = `/api/tus${placeOf("tus")}/${name}`;
    const answer = await stage.call("POST", path, { headers, body: insideText });
    return arrived(judge(answer, any), join(really(stage, "tus"), name));
  },
};

const authorization = basic("bea", userPassword);
const dav = (stage: Stage, method: string, path: string, init: RequestInit = {}) =>
  stage.call(method, `/dav${path}`, { ...init, headers: { authorization, ...init.headers } });

const davRead: Operation = {
  name: "dav-read",
  async attempt(stage, round) {
    const place = placeOf("dav-read");
    const answer = round % 2 === 0
      ? await dav(stage, "GET", `${place}/a.txt`)
      : await dav(stage, "PROPFIND", `${place}/`, { headers: { depth: "1" } });
    return judge(answer);
  },
};

const davPut: Operation = {
  name: "dav-put",
  async attempt(stage, round) {
    const name = `n${round}.txt`;
    const answer = await dav(stage, "PUT", `${placeOf("dav-put")}/${name}`, { body: insideText });
    return arrived(judge(answer, any), join(really(stage, "dav-put"), name));
  },
};

const davMove: Operation = {
  name: "dav-move",
  async attempt(stage) {
    const place = placeOf("dav-move");
    return await renamed(really(stage, "dav-move"), async (from, to) => {
      const headers = { destination: `/dav${place}/${to}` };
      return judge(await dav(stage, "MOVE", `${place}/${from}`, { headers }), any);
    });
  },
};

/** The operations. */
export const otherOperations: readonly Operation[] = [
  ...[archiveOut, archiveIn, extractIn, copyJob, trash, tus, davRead, davPut, davMove],
];
