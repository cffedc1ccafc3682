/**
 * Uploads of a server that is killed between their last byte and their name, or between the name
 * and what is noted of it: a command that is hooked before or after uploads holds them there.
 */
import assert from "node:assert/strict";
import { basename, dirname, join } from "node:path";
import { delay } from "../../lib/shared/delay.ts";
import { defaultSettings } from "../../lib/server/features/settings/settings.ts";
import { filesBelow, temporaryFolder } from "../support/disks/files.ts";
import { administer } from "../support/server/administer.ts";
import { type RunningServer, startServer } from "../support/server/server.ts";

const password = "four herons at dawn";
const quota = { bytes: 1_000_000, files: 100 };
const part = { "content-type": "application/offset+octet-stream", "upload-offset": "0" };

/** The content of each: anna's own upload, her friend's by a share, a stranger's by a request. */
const contents = {
  "own.bin": bytesOf(300_000, 1),
  "box/added.bin": bytesOf(200_000, 2),
  "inbox/sent.bin": bytesOf(100_000, 3),
};
const names = Object.keys(contents);
const unnamed = ["100000 bytes", "200000 bytes", "300000 bytes"];
const lengths = Object.values(contents).map(({ length }) => String(length));
const total = 600_000;

function bytesOf(length: number, seed: number): Uint8Array<ArrayBuffer> {
  return Uint8Array.from({ length }, (_, index) => (index * 31 + (index >> 8) + seed) % 256);
}

interface CallOptions {
  headers?: Record<string, string>;
  body?: BodyInit;
  json?: unknown;
}

async function ask(
  server: RunningServer,
  method: string,
  path: string,
  options: CallOptions = {},
): Promise<{ status: number; headers: Headers; text: string }> {
  const { headers, json, body = json === undefined ? undefined : JSON.stringify(json) } = options;
  const answer = await fetch(server.url + path, { method, headers, body });
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
}

async function call(...args: Parameters<typeof ask>): ReturnType<typeof ask> {
  const answer = await ask(...args);
  const isDone = answer.status >= 200 && answer.status < 300;
  assert.ok(isDone, `${args[1]} ${args[2]}: ${answer.status} ${answer.text}`);
  return answer;
}

async function signIn(server: RunningServer, username: string, password: string) {
  const { text } = await call(server, "POST", "/api/login", { json: { username, password } });
  return { "x-auth": text };
}

/** An upload, and who sends it. */
interface Sent {
  location: string;
  headers: Record<string, string>;
}

/** A server whose uploads wait before they get their names. */
interface Place extends AsyncDisposable {
  server: RunningServer;
  sent: Sent[];
  anna: Record<string, string>;
  friend: Record<string, string>;
  /** What the hooked command does from now on. */
  hook(does: "waits" | "refuses" | "passes"): void;
  restart(): Promise<void>;
  /** How often it has refused. */
  refusals(): number;
  /** The files below the root, hidden ones of unfinished uploads by their sizes. */
  files(): string[];
  used(as?: Record<string, string>): Promise<[bytes: number, files: number]>;
}

/**
 * Kills a server while three uploads that have all their bytes wait for their names, or have just got
 * them.
 */
async function killed(event: "before_upload" | "after_upload" = "before_upload"): Promise<Place> {
  await using stack = new AsyncDisposableStack();
  const folder = stack.use(await temporaryFolder());
  const [root, data] = [join(folder.path, "root"), join(folder.path, "data")];
  const state = join(folder.path, "hook");
  for (const name of ["anna/box", "anna/inbox", "friend"]) {
    Deno.mkdirSync(join(root, name), { recursive: true });
  }
  const hook = (does: string) => {
    Deno.writeTextFileSync(`${state}.next`, `${does}\n`);
    Deno.renameSync(`${state}.next`, state);
  };
  hook("waits");
  // It ends with the test's folder if not before.
  const script = join(folder.path, "hook.sh");
  const log = join(folder.path, "log");
  Deno.writeTextFileSync(log, "");
  const logged = (word: string) => Deno.readTextFileSync(log).split(word).length - 1;
  Deno.writeTextFileSync(
    script,
    `echo begun >> '${log}'; while [ "$(cat '${state}')" = waits ]; do sleep 0.05; done
    read does < '${state}'; echo $does >> '${log}'; [ $does = passes ]`,
  );
  const flags = ["--disable-exec=false", "--exec-sandbox", "none"];
  const start = () => startServer({ root, data, flags });
  let server = await start();
  stack.defer(async () => void await server.stop());
  const commands = { ...defaultSettings().commands, [event]: [`sh "${script}"`] };
  await administer({ data }, { settings: { commands } });

  const admin = await signIn(server, server.username, server.password);
  for (const username of ["anna", "friend"]) {
    const user = { username, password, scope: `/${username}`, quota };
    const json = { what: "user", current_password: server.password, data: user };
    await call(server, "POST", "/api/users", { headers: admin, json });
  }
  const anna = await signIn(server, "anna", password);
  const friend = await signIn(server, "friend", password);
  const sent = [
    await beginOwn(server, anna),
    await beginShared(server, anna, friend),
    await beginReceived(server, anna),
  ];
  const sending = sent.map(({ location, headers }, index) => {
    const body = Object.values(contents)[index];
    return ask(server, "PATCH", location, { headers: { ...headers, ...part }, body })
      .then(({ status }) => status, () => "no answer");
  });
  while (logged("begun") < sent.length) await delay(10);
  Deno.kill(server.pid, "SIGKILL");
  await server.ended;
  assert.deepEqual(await Promise.all(sending), sent.map(() => "no answer"));

  const files = () =>
    filesBelow(join(root, "anna")).map((path) =>
      basename(path).startsWith(".cubby-")
        ? `${Deno.statSync(join(root, "anna", path)).size} bytes`
        : path
    ).sort();
  assert.deepEqual(files(), event === "before_upload" ? unnamed : names.toSorted());
  const owned = stack.move();
  return {
    get server() {
      return server;
    },
    ...{ sent, anna, friend, hook, files, refusals: () => logged("refuses") },
    async restart() {
      await server.stop();
      server = await start();
    },
    async used(as = anna) {
      const { text } = await call(server, "GET", "/api/usage/", { headers: as });
      const { quota: { usedBytes, usedFiles } } = JSON.parse(text);
      return [usedBytes, usedFiles];
    },
    [Symbol.asyncDispose]: () => owned[Symbol.asyncDispose](),
  };
}

async function beginOwn(server: RunningServer, anna: Sent["headers"]): Promise<Sent> {
  const headers = { ...anna, "upload-length": String(contents["own.bin"].length) };
  const begun = await call(server, "POST", "/api/tus/own.bin", { headers });
  return { location: begun.headers.get("location") ?? "", headers: anna };
}

async function beginShared(
  server: RunningServer,
  anna: Sent["headers"],
  friend: Sent["headers"],
): Promise<Sent> {
  const json = { audience: [{ name: "friend", may: "upload" }] };
  const shared = await call(server, "POST", "/api/share/box", { headers: anna, json });
  const { hash } = JSON.parse(shared.text);
  const headers = {
    ...friend,
    "upload-length": String(contents["box/added.bin"].length),
    "upload-metadata": `filename ${btoa("added.bin")}`,
  };
  const begun = await call(server, "POST", `/api/public/tus/${hash}`, { headers });
  return { location: begun.headers.get("location") ?? "", headers: friend };
}

async function beginReceived(server: RunningServer, anna: Sent["headers"]): Promise<Sent> {
  const made = await call(server, "POST", "/api/request/inbox", { headers: anna, json: {} });
  const base = `/api/public/request/${JSON.parse(made.text).hash}`;
  const { token } = JSON.parse((await call(server, "POST", base, { json: {} })).text);
  const visitor = { "x-request-token": token };
  const headers = {
    ...visitor,
    "upload-length": String(contents["inbox/sent.bin"].length),
    "upload-metadata": `filename ${btoa("sent.bin")}`,
  };
  const begun = await call(server, "POST", `${base}/files`, { headers });
  return { location: begun.headers.get("location") ?? "", headers: visitor };
}

/** Each file is there once, with its bytes, and counts for its owner alone. */
async function assertNamed(place: Place): Promise<void> {
  assert.deepEqual(place.files(), names.toSorted());
  for (const [name, bytes] of Object.entries(contents)) {
    const path = join(place.server.root, "anna", name);
    assert.ok(isEqual(Deno.readFileSync(path), bytes), `${name} has its bytes`);
  }
  // With the two folders.
  assert.deepEqual(await place.used(), [total, names.length + 2]);
  assert.deepEqual(await place.used(place.friend), [0, 0]);
  assert.equal(await received(place), 1);
}

/** The files that the request counts. */
async function received({ server, anna: headers }: Place): Promise<number> {
  return JSON.parse((await call(server, "GET", "/api/requests", { headers })).text)[0].files;
}

function isEqual(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, index) => byte === b[index]);
}

async function heads({ server, sent }: Place): Promise<[number, string | null][]> {
  return await Promise.all(sent.map(async ({ location, headers }) => {
    const answer = await ask(server, "HEAD", location, { headers });
    return [answer.status, answer.headers.get("upload-offset")];
  }));
}

Deno.test("uploads that a kill keeps from their names get them by a start, unasked", async () => {
  await using place = await killed();
  place.hook("passes");
  await place.restart();
  while (place.files().some((name) => name.endsWith(" bytes"))) await delay(10);
  await place.restart();
  await assertNamed(place);
});

Deno.test("HEAD tells why uploads that a kill keeps from their names get none, or names them", async () => {
  await using place = await killed();
  place.hook("refuses");
  for (const start of [1, 2]) {
    await place.restart();
    assert.deepEqual(await heads(place), names.map(() => [403, null]));
    // The start itself tries, too.
    while (place.refusals() < 2 * names.length * start) await delay(10);
    assert.deepEqual(place.files(), unnamed);
    assert.deepEqual(await place.used(), [total, names.length + 2], "their room stays reserved");
  }
  place.hook("passes");
  assert.deepEqual(await heads(place), lengths.map((length) => [200, length]));
  await assertNamed(place);
});

Deno.test("uploads that have their names at a kill count once after a start, unasked", async () => {
  await using place = await killed("after_upload");
  place.hook("passes");
  await place.restart();
  await assertNamed(place);
  assert.deepEqual(await heads(place), lengths.map((length) => [200, length]));
  await assertNamed(place);
});

Deno.test("uploads that are named but not noted at a kill are found by their names", async () => {
  await using place = await killed();
  const anna = join(place.server.root, "anna");
  // As a kill leaves them right after their names; of the visitors' each name was taken.
  await place.server.stop();
  for (const [name, { length }] of Object.entries(contents)) {
    const folder = join(anna, dirname(name));
    const isIt = (entry: string) => Deno.statSync(join(folder, entry)).size === length;
    const entries = Array.from(Deno.readDirSync(folder), ({ name }) => name);
    const hidden = entries.find((entry) => entry.startsWith(".cubby-") && isIt(entry)) ?? "";
    const numbered = name === "own.bin" ? name : name.replace(".bin", "(1).bin");
    Deno.renameSync(join(folder, hidden), join(anna, numbered));
    if (name !== numbered) Deno.writeTextFileSync(join(anna, name), "");
  }
  place.hook("passes");
  await place.restart();
  assert.equal(await received(place), 1);
  assert.deepEqual(await heads(place), lengths.map((length) => [200, length]));
  // With the two folders, and the two files that have taken the names.
  assert.deepEqual(await place.used(), [total, names.length + 4]);
  assert.equal(place.files().length, names.length + 2);
});

Deno.test("an upload that was kept beside another file at a kill is found by its own name", async () => {
  await using place = await killed();
  const { server, sent: [{ location } = assert.fail()], anna } = place;
  const path = join(server.root, "anna/own.bin");
  Deno.writeTextFileSync(path, "taken meanwhile");
  place.hook("passes");
  await place.restart();
  const kept = () =>
    ask(place.server, "PATCH", `${location}?rename=true`, {
      headers: { ...anna, ...part, "upload-offset": String(contents["own.bin"].length) },
    });
  for (const _ of ["named", "answered again"]) {
    const { status, headers } = await kept();
    assert.equal(status, 204);
    assert.equal(headers.get("content-location"), "/api/resources/own(1).bin");
  }
  assert.deepEqual((await heads(place))[0], [200, lengths[0]]);
  assert.equal(Deno.readTextFileSync(path), "taken meanwhile");
  assert.ok(isEqual(Deno.readFileSync(join(server.root, "anna/own(1).bin")), contents["own.bin"]));
});
