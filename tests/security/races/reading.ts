/** All that reads below a swapped folder. */
import { join } from "node:path";
import { runCommand } from "../../support/clients/command.ts";
import { judge, type Operation, placeOf, reading } from "./operation.ts";
import { swapped } from "./stage.ts";
import { insideDigest, insidePicture, insideText, largeTree } from "./trees.ts";

const watchEvent = /^event: ready$/m;

/** How full the inside's disk is: told before anything is swapped. */
let totalInside = "";

/** The preview of the picture inside. */
let previewInside = "";

const preview: Operation = {
  name: "preview",
  inside: { "picture.bmp": insidePicture },
  async prepare(stage) {
    previewInside = (await stage.call("GET", previewPath)).text;
  },
  async attempt(stage, round) {
    // Of another time, it is a picture that has no preview yet.
    const time = new Date(1_700_000_000_000 + round * 1_000);
    await Deno.utime(join(stage.inside, "preview/picture.bmp"), time, time);
    const answer = await stage.call("GET", previewPath);
    const isOther = answer.ok && answer.text !== previewInside;
    return isOther ? { hit: "a preview of another picture" } : judge(answer, previewInside);
  },
};
const previewPath = `/api/preview/thumb${placeOf("preview")}/picture.bmp`;

const usage: Operation = {
  name: "usage",
  async prepare(stage) {
    const { text } = await stage.call("GET", `/api/usage${placeOf("usage")}/`);
    totalInside = /"total":\d+/.exec(text)?.[0] ?? "no total";
  },
  async attempt(stage) {
    const answer = await stage.call("GET", `/api/usage${placeOf("usage")}/`);
    const isOther = answer.ok && !answer.text.includes(totalInside);
    return isOther ? { hit: `another disk: ${answer.text}` } : judge(answer, totalInside);
  },
};

const watch: Operation = {
  name: "watch",
  async attempt({ caller: { url, token = "" } }) {
    const headers = { "x-auth": token };
    const answer = await fetch(`${url}/api/watch${placeOf("watch")}/`, { headers });
    const { ok, status, body } = answer;
    const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
    const { value: text = "" } = await reader?.read() ?? {};
    await reader?.cancel();
    const leak = text.includes("1999-12-31") ? text : null;
    return judge({ status, ok, text, leak, bytes: new Uint8Array() }, watchEvent);
  },
};

const command: Operation = {
  name: "command",
  async attempt({ caller: { url, token } }) {
    const path = `${placeOf("command")}/`;
    const { lines } = await runCommand("cat a.txt", { url, token, path });
    const text = lines.join("\n");
    const leak = text.includes("SECRET") ? text : null;
    return judge({ status: 200, ok: true, text, leak, bytes: new Uint8Array() });
  },
};

/** The operations. */
export const readingOperations: readonly Operation[] = [
  reading("raw", (place) => [`/api/raw${place}/a.txt`]),
  reading("store", () => ["", "-wal"].map((end) => `/api/raw${swapped}/cubby.kv${end}`)),
  reading("content", (place) => [`/api/resources${place}/a.txt`]),
  reading("listing", (place) => [`/api/resources${place}/`]),
  reading("large-listing", (place) => [`/api/resources${place}/`], { inside: largeTree }),
  reading("search", (place) => [`/api/search${place}/?query=txt`]),
  reading("subtitle", (place) => [
    `/api/subtitle${place}/film.srt`,
    `/api/resources${place}/film.mkv`,
  ], { inside: { "film.mkv": "", "film.INSIDE.srt": insideText, "film.srt": insideText } }),
  preview,
  reading("checksum", (place) => [`/api/resources${place}/a.txt?checksum=sha256`], {
    expected: insideDigest,
  }),
  reading("chosen-files", (place) => [
    `/api/raw${place}/?files=a.txt,deep`,
    `/api/raw${place}/?files=deep,a.txt&algo=tar`,
    `/api/raw/hold/?files=door%252Fchosen-files%252Fa.txt`,
  ]),
  reading("archive", (place) => [`/api/raw${place}/`, `/api/raw${place}/?algo=tar`]),
  reading("share", (_, { caller: { shares } }) => [
    `/api/public/share/${shares?.above}/door/share/`,
    `/api/public/dl/${shares?.above}/door/share/a.txt`,
    `/api/public/dl/${shares?.above}/door/share/?algo=tar`,
    `/api/public/share/${shares?.below}/`,
    `/api/public/dl/${shares?.below}/a.txt`,
    `/api/public/dl/${shares?.below}/`,
  ]),
  usage,
  watch,
  command,
  reading("walks-from-above", () => [
    "/api/raw/high/",
    "/api/raw/high/?algo=tar",
    "/api/raw/?files=high&algo=tar",
    "/api/search/high/?query=txt",
    "/api/search/high/door/?query=txt",
    "/api/resources/high/door/",
  ], { place: "above" }),
];
