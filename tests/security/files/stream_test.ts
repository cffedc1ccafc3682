import assert from "node:assert/strict";
import { join } from "node:path";
import { makeFilms } from "../../support/data/films.ts";
import { manyTracks } from "../../support/data/many_tracks.ts";
import { ensureMediaPrograms } from "../../support/disks/media_programs.ts";
import { plant, temporaryFolder } from "../../support/disks/files.ts";
import { type RunningServer, startServer } from "../../support/server/server.ts";

await ensureMediaPrograms();
const films = await makeFilms();
const workers = Number(Deno.env.get("WORKERS") ?? 2);
const server = await startServer({
  flags: ["--disable-media-programs=false"],
  workers,
  prepare: (root) =>
    plant(root, {
      "film.mkv": films["long.mkv"],
      ann: { "own.mkv": films["copied.mkv"], "shared.mkv": films["old.mkv"] },
      bob: { "own.mkv": films["copied.mkv"] },
      "tracks.mka": manyTracks(10_000),
    }),
});
await plantSlowFilms(server.root);
await plantWords(server.root);
Deno.test.afterAll(async () => void await server.stop());
const admin = await signIn(server);
const before = filesOf(server.data).filter((path) => !path.startsWith("cache/"));

async function signIn(
  { url }: RunningServer,
  { username, password }: { username: string; password: string } = server,
): Promise<string> {
  const body = JSON.stringify({ username, password, recaptcha: "" });
  return await (await fetch(`${url}/api/login`, { method: "POST", body })).text();
}

/** A call on a connection of its own: the threads share the port by connections. */
function call(
  path: string,
  { token = admin, method = "GET", json, signal }: {
    token?: string;
    method?: string;
    json?: unknown;
    signal?: AbortSignal;
  } = {},
): Promise<Response> {
  return fetch(`${server.url}${path}`, {
    ...{ method, signal, body: json === undefined ? undefined : JSON.stringify(json) },
    headers: { "x-auth": token, connection: "close" },
  });
}

const stream = (path: string, options: Parameters<typeof call>[1] = {}) =>
  call(`/api/stream/${path}`, options);

/** A user of a folder of its own. */
async function addUser(name: string): Promise<string> {
  const password = `the cub of ${name} sleeps at 7`;
  const perm = {
    create: true,
    rename: true,
    modify: true,
    delete: true,
    share: true,
    download: true,
  };
  const data = { username: name, password, scope: `/${name}`, perm };
  const json = { what: "user", which: [], data, current_password: server.password };
  const answer = await call("/api/users", { method: "POST", json });
  assert.equal(answer.status, 201, await answer.text());
  return await signIn(server, { username: name, password });
}

/** Two frames and two sounds, ten hours apart; and a film that does not tell its end. */
async function plantSlowFilms(root: string): Promise<void> {
  await using folder = await temporaryFolder();
  const tone = ["-f", "lavfi", "-i", "sine=d=2"];
  const color = ["-f", "lavfi", "-i", "color=s=64x64:r=1:d=2"];
  const run = async (name: string, ...args: string[]) => {
    const made = join(folder.path, name);
    const { success, stderr } = await new Deno.Command("ffmpeg", {
      args: ["-v", "error", "-y", ...color, ...tone, ...args, made],
    }).output();
    assert.ok(success, new TextDecoder().decode(stderr));
    await Deno.copyFile(made, join(root, name));
  };
  const far = "setpts=N*36000/TB";
  await run("gap.mkv", "-vf", far, "-af", "asetpts=N/SR/TB+gt(T\\,1)*35990/TB", "-c:a", "ac3");
  await run("endless.mkv", "-c:v", "mpeg4", "-c:a", "ac3", "-live", "1");
}

/** A film with 20 MiB of subtitles, in sentences of 2 KiB. */
async function plantWords(root: string): Promise<void> {
  await using folder = await temporaryFolder();
  const times = (second: number) => {
    const of = (second: number) => new Date(second * 1_000).toISOString().slice(11, 19) + ",000";
    return `${of(second)} --> ${of(second + 1)}`;
  };
  const sentences = Array.from(
    { length: 10 * 1024 },
    (_, at) => `${at + 1}\n${times(at)}\n${"long words ".repeat(190)}\n`,
  );
  const words = join(folder.path, "words.srt");
  await Deno.writeTextFile(words, sentences.join("\n"));
  const color = ["-f", "lavfi", "-i", "color=s=64x64:r=1:d=2", "-i", words, "-map", "0"];
  const { success, stderr } = await new Deno.Command("ffmpeg", {
    args: ["-v", "error", ...color, "-map", "1", join(root, "words.mkv")],
  }).output();
  assert.ok(success, new TextDecoder().decode(stderr));
}

/** Paths of all files below a folder. */
function filesOf(folder: string, within = ""): string[] {
  return [...Deno.readDirSync(join(folder, within))].flatMap(({ name, isDirectory }) => {
    const path = within === "" ? name : `${within}/${name}`;
    return isDirectory ? filesOf(folder, path) : [path];
  });
}

/** How many processes of ffmpeg the server has. */
function conversions(): number {
  const parents = new Map<number, { parent: number; name: string }>();
  for (const { name } of Deno.readDirSync("/proc")) {
    try {
      const stat = Deno.readTextFileSync(`/proc/${Number(name)}/stat`);
      const [, program = "", parent = ""] = /\((.*)\) \S (\d+)/.exec(stat) ?? [];
      parents.set(Number(name), { parent: Number(parent), name: program });
    } catch {
      // Not a process, or it has ended.
    }
  }
  const isOurs = (id: number): boolean =>
    id === server.pid || id > 1 && isOurs(parents.get(id)?.parent ?? 0);
  return [...parents].filter(([id, { name }]) => name === "ffmpeg" && isOurs(id)).length;
}

async function until(holds: () => boolean, seconds = 30): Promise<void> {
  const end = performance.now() + seconds * 1_000;
  while (!holds()) {
    if (performance.now() > end) throw new Error(`Cannot wait any longer: ${holds}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

const [ann, bob] = [await addUser("ann"), await addUser("bob")];

/** Connections and processes outlast tests: those of the server, which ends last. */
function test(name: string, fn: () => Promise<void>): void {
  Deno.test({
    name: `${name}, with ${workers} threads`,
    fn,
    sanitizeOps: false,
    sanitizeResources: false,
  });
}

test("twenty viewers of a film share one conversion", async () => {
  let most = 0;
  const timer = setInterval(() => most = Math.max(most, conversions()), 20);
  const viewers = Array.from({ length: 20 }, () => stream("hls/film.mkv?segment=2&video=480"));
  const parts = await Promise.all(viewers.map(async (viewer) => await (await viewer).bytes()));
  clearInterval(timer);
  assert.ok((parts[0]?.length ?? 0) > 1_000);
  for (const part of parts) assert.deepEqual(part, parts[0]);
  assert.equal(most, 1);
});

test("a conversion ends after its viewers have left, and writes into the cache alone", async () => {
  const leaving = new AbortController();
  const asked = stream("hls/film.mkv?segment=20&video=480", { signal: leaving.signal });
  await until(() => conversions() === 1);
  leaving.abort();
  await asked.then((answer) => answer.body?.cancel(), () => {});
  await until(() => conversions() === 0);
  const after = filesOf(server.data).filter((path) => !path.startsWith("cache/"));
  assert.deepEqual(
    after.filter((path) => !/kv|db|sqlite|log/.test(path)),
    before.filter((path) => !/kv|db|sqlite|log/.test(path)),
  );
  const names = [...Deno.readDirSync(server.root)].map(({ name }) => name).sort();
  assert.deepEqual(names, [
    ...["ann", "bob", "endless.mkv", "film.mkv", "gap.mkv", "tracks.mka", "words.mkv"],
  ]);
});

test("one user who asks for all places at once is refused, and another one gets its turn", async () => {
  const greedy = Array.from(
    { length: 30 },
    (_, at) =>
      stream(`hls/film.mkv?video=1080&segment=${at + 1}`).then(async (answer) => {
        await answer.body?.cancel();
        return answer.status;
      }),
  );
  const start = performance.now();
  const other = await stream("hls/own.mkv?video=480&segment=1", { token: bob });
  assert.equal(other.status, 200, other.ok ? "" : await other.clone().text());
  await other.body?.cancel();
  assert.ok(performance.now() - start < 30_000);
  const statuses = new Set(await Promise.all(greedy));
  assert.ok(statuses.isSubsetOf(new Set([200, 429, 503])), [...statuses].join());
  assert.ok(statuses.has(429), [...statuses].join());
});

test("a segment in the cache is not for a user who may not read the file", async () => {
  const own = await stream("hls/own.mkv?segment=0&video=480", { token: ann });
  assert.equal(own.status, 200);
  await own.body?.cancel();
  for (const path of ["hls/../ann/own.mkv", "hls/..%2fann%2fown.mkv", "hls/ann/own.mkv"]) {
    const answer = await stream(`${path}?segment=0&video=480`, { token: bob });
    assert.ok([400, 404].includes(answer.status), `${path} ${answer.status}`);
    await answer.body?.cancel();
  }
});

test("a film that is replaced by another is not shown as the former one", async () => {
  const path = join(server.root, "bob/own.mkv");
  const own = async (query: string) => {
    const answer = await stream(`hls/own.mkv?segment=0&video=480${query}`, { token: bob });
    return await answer.bytes();
  };
  // As it is, and as if it had grown since a playlist was made.
  const former = [await own(""), await own("&size=1")];
  const { mtime } = await Deno.stat(path);
  await Deno.writeFile(`${path}.new`, films["old.mkv"]);
  await Deno.utime(`${path}.new`, mtime ?? 0, mtime ?? 0);
  await Deno.rename(`${path}.new`, path);
  const info = await (await stream("info/own.mkv", { token: bob })).json();
  assert.equal(info.video.codec, "hevc");
  assert.notDeepEqual(await own(""), former[0]);
  assert.notDeepEqual(await own("&size=1"), former[1]);
});

test("subtitles of more than a server takes as a whole are refused", async () => {
  const answer = await stream("subtitle/words.mkv");
  assert.equal(answer.status, 501, (await answer.text()).slice(0, 100));
});

test("a share that ends takes its streams with it, also those in the cache", async () => {
  const made = await call("/api/share/shared.mkv", { token: ann, method: "POST", json: {} });
  const { hash } = await made.json();
  const visit = (query: string) =>
    call(`/api/public/stream/hls/${hash}?video=480&${query}`, { token: "" });
  const first = await visit("segment=0");
  assert.equal(first.status, 200, first.ok ? "" : await first.clone().text());
  await first.body?.cancel();
  await (await call(`/api/share/${hash}`, { token: ann, method: "DELETE" })).body?.cancel();
  for (const query of ["segment=0", "segment=1", ""]) {
    const answer = await visit(query);
    assert.equal(answer.status, 404, await answer.text());
  }
});

test("a file of 10,000 tracks, gaps of hours and films without an end are answered in time", async () => {
  const start = performance.now();
  const tracks = await stream("info/tracks.mka");
  assert.ok([200, 501].includes(tracks.status), String(tracks.status));
  if (tracks.ok) assert.ok((await tracks.json()).audio.length <= 32);
  for (const path of ["gap.mkv", "endless.mkv"]) {
    for (const video of ["480", "copy"]) {
      const answer = await stream(`hls/${path}?video=${video}&segment=0`);
      await answer.body?.cancel();
      assert.ok([200, 501, 404].includes(answer.status), `${path} ${video}: ${answer.status}`);
    }
  }
  const late = await stream("hls/gap.mkv?video=480&segment=9000");
  await late.body?.cancel();
  assert.ok([200, 501, 404].includes(late.status), `${late.status}`);
  assert.ok(performance.now() - start < 90_000);
  const health = await call("/health");
  assert.equal(health.status, 200);
  await health.body?.cancel();
});
