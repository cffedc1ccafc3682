/** All that others do below a swapped folder: recipients who may edit, and visitors who send. */
import { join } from "node:path";
import { any, arrived, really, removed, renamed } from "./changing.ts";
import { judge, type Operation, type Outcome, placeOf } from "./operation.ts";
import type { Stage } from "./stage.ts";
import { insideText } from "./trees.ts";

const uploadType = "application/offset+octet-stream";
const coded = (text: string) => new TextEncoder().encode(text).toBase64();

/** An operation of a recipient: by turns by a share of the folder above, and of its own folder. */
function shared(
  name: string,
  attempt: (stage: Stage, ask: Ask, round: number) => Promise<Outcome>,
): Operation {
  let own = "";
  return {
    name,
    async prepare(stage) {
      own = await shareWith(stage, placeOf(name));
      above ||= await shareWith(stage, "/hold");
    },
    async attempt(stage, round) {
      const base = round % 2 === 0 ? own : `${above}/door/${name}`;
      const inShare = round % 2 === 0 ? "" : `/door/${name}`;
      const { recipient = "" } = stage.caller;
      const headers = { accept: "application/json", "x-auth": recipient };
      const call: Ask["call"] = (method, path, init = {}) =>
        stage.call(method, path, { ...init, headers: { ...headers, ...init.headers } });
      return await attempt(stage, { call, base, inShare }, round);
    },
  };
}

interface Ask {
  /** Asks as the recipient. */
  call: (method: string, path: string, init?: RequestInit) => ReturnType<Stage["call"]>;
  /** The folder of the operation, as a share and a path in it. */
  base: string;
  /** The same folder as a path in the share. */
  inShare: string;
}

/** The share of the folder above all operations. */
let above = "";

async function shareWith(stage: Stage, path: string): Promise<string> {
  const body = JSON.stringify({ audience: [{ name: "carl", may: "edit" }] });
  return JSON.parse((await stage.call("POST", `/api/share${path}`, { body })).text).hash;
}

const read = shared("shared-read", async (_, { call, base }, round) => {
  const ways = [`share/${base}/`, `dl/${base}/a.txt`, `dl/${base}/?algo=tar`];
  return judge(await call("GET", `/api/public/${ways[round % ways.length]}`));
});

const save = shared("shared-save", async (_, { call, base }) => {
  const body = `${insideText} again`;
  return judge(await call("PUT", `/api/public/share/${base}/a.txt`, { body }), any);
});

const makeFolder = shared("shared-folder", async (stage, { call, base }, round) => {
  const outcome = judge(await call("POST", `/api/public/share/${base}/n${round}/`), any);
  return arrived(outcome, join(really(stage, "shared-folder"), `n${round}`));
});

const rename = shared("shared-rename", async (stage, { call, base, inShare }) => {
  return await renamed(really(stage, "shared-rename"), async (from, to) => {
    const query = `action=rename&destination=${encodeURIComponent(`${inShare}/${to}`)}`;
    return judge(await call("PATCH", `/api/public/share/${base}/${from}?${query}`), any);
  });
});

/** Deleted to the owner's trash, and put back, by one recipient. */
const trash = shared("shared-trash", async (stage, { call, base }) => {
  const file = join(really(stage, "shared-trash"), "a.txt");
  await Deno.writeTextFile(file, insideText);
  let id = "";
  const outcome = await removed(file, async () => {
    const { text, ...answer } = await call("DELETE", `/api/public/share/${base}/a.txt`);
    id = answer.location ?? "";
    return judge({ ...answer, text }, any);
  });
  if (outcome !== "reached") return outcome;
  return arrived(judge(await call("POST", id), any), file);
});

const add = shared("shared-add", async (stage, { call, base }, round) => {
  const name = `n${round}.txt`;
  const headers = {
    "upload-length": `${insideText.length}`,
    "upload-metadata": `filename ${coded(name)}`,
    "content-type": uploadType,
  };
  const answer = await call("POST", `/api/public/tus/${base}`, { headers, body: insideText });
  return arrived(judge(answer, any), join(really(stage, "shared-add"), name));
});

/** The address and the token of the request for files. */
let asked = { address: "", token: "" };

const request: Operation = {
  name: "request",
  async prepare(stage) {
    const made = await stage.call("POST", `/api/request${placeOf("request")}`, { body: "{}" });
    const address = `/api/public/request/${JSON.parse(made.text).hash}`;
    const entered = await stage.call("POST", address, { body: "{}" });
    asked = { address, token: JSON.parse(entered.text).token };
  },
  async attempt(stage, round) {
    const name = `n${round}.txt`;
    const headers = {
      "accept": "application/json",
      "x-request-token": asked.token,
      "upload-length": `${insideText.length}`,
      "upload-metadata": `filename ${coded(name)}`,
      "content-type": uploadType,
    };
    const answer = await stage.call("POST", `${asked.address}/files`, {
      headers,
      body: insideText,
    });
    return arrived(judge(answer, any), join(really(stage, "request"), name));
  },
};

/** The operations. */
export const sharedOperations: readonly Operation[] = [
  ...[read, save, makeFolder, rename, trash, add, request],
];
