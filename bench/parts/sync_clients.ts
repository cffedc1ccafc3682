import { createHash } from "node:crypto";
import { join } from "node:path";
import { delay } from "../../lib/shared/delay.ts";
import { plantMany } from "../../tests/support/disks/files.ts";
import { type RunningServer, startServer } from "../../tests/support/server/server.ts";
import { processorTimeOf } from "../memory.ts";
import { median, race, secondsOf } from "../race.ts";
import { signIn } from "../set_up.ts";
import { atMost, duration, type Row, table } from "../table.ts";

/** Clients that wait for changes, and how often each asks, in milliseconds. */
const clients = 100;
const askEveryMs = 30_000;

/** What they sync: so many folders with so many files each. */
const [folders, filesEach] = [100, 100];

/** Most of a core that they may take. */
const maxShare = 0.02;

const wantsEtag = '<d:propfind xmlns:d="DAV:"><d:prop><d:getetag/></d:prop></d:propfind>';

/** An app password of the first administrator, as a client sends it. */
async function appPassword(server: RunningServer, session: string, name: string): Promise<string> {
  const answer = await fetch(`${server.url}/api/tokens`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-auth": session },
    body: JSON.stringify({ name, write: true, current_password: server.password }),
  });
  if (!answer.ok) throw new Error(`Cannot make a token: ${answer.status} ${await answer.text()}`);
  const { token } = await answer.json();
  return `Basic ${btoa(`${server.username}:${token}`)}`;
}

async function done(answer: Response): Promise<void> {
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${answer.url}: ${answer.status} ${text}`);
}

/** The processor time of idle clients that ask for the ETag of their top folder, one by one. */
export async function measureIdleClients(isQuick: boolean): Promise<void> {
  await using server = await startServer({
    flags: ["--sync-clients"],
    async prepare(root) {
      for (let number = 0; number < folders; number++) {
        const folder = join(root, `folder ${number}`);
        await Deno.mkdir(folder);
        plantMany(folder, filesEach);
      }
    },
  });
  const session = await signIn(server);
  const passwords: string[] = [];
  for (let number = 0; number < clients; number++) {
    passwords.push(await appPassword(server, session, `desktop ${number}`));
  }
  const ask = async (authorization: string) =>
    await done(
      await fetch(`${server.url}/remote.php/dav/files/${server.username}/`, {
        method: "PROPFIND",
        headers: { authorization, depth: "0" },
        body: wantsEtag,
      }),
    );
  const shareDuring = async (ms: number, work: (end: number) => Promise<void>) => {
    const [begun, before] = [performance.now(), processorTimeOf(server.pid)];
    await work(begun + ms);
    return (processorTimeOf(server.pid) - before) / (performance.now() - begun);
  };
  const round = async (end: number) => {
    for (let next = performance.now(), turn = 0; next < end; next += askEveryMs / clients) {
      await delay(Math.max(0, next - performance.now()));
      await ask(passwords[turn++ % clients] ?? "");
    }
  };
  const [restMs, workMs] = isQuick ? [2_000, 3_000] : [30_000, 60_000];
  await delay(restMs / 6);
  const alone = await shareDuring(restMs, () => delay(restMs));
  await round(performance.now() + restMs / 3);
  const asked = await shareDuring(workMs, round);
  const percent = (share: number) => `${(share * 100).toFixed(2)} %`;
  const row: Row = {
    what: `${clients} idle clients that ask every ${askEveryMs / 1000} s, of a core`,
    cubby: percent(asked),
    against: `without them ${percent(alone)}`,
    target: atMost(asked, maxShare, percent(maxShare)),
  };
  console.log(table([row]));
}

/** Bytes of a file, and of a chunk of it. */
const [fileBytes, chunkBytes] = [2 ** 30, 10 * 2 ** 20];

/** A file by one PUT and in chunks one after another, each with and without a checksum, in turns. */
export async function measureClientUploads(isQuick: boolean): Promise<void> {
  await using server = await startServer({ flags: ["--sync-clients"] });
  const session = await signIn(server);
  // A client of its own for each: what it did last is expected again.
  const [plain, summed] = [
    await appPassword(server, session, "phone"),
    await appPassword(server, session, "desktop"),
  ];
  const size = isQuick ? fileBytes / 16 : fileBytes;
  const chunk = crypto.getRandomValues(new Uint8Array(64 * 1024));
  const blob = (length: number) =>
    new Blob(Array.from({ length: Math.ceil(length / chunk.length) }, () => chunk))
      .slice(0, length);
  const whole = blob(size);
  const hash = createHash("sha1");
  for await (const piece of whole.stream()) hash.update(piece);
  const sum = { "oc-checksum": `SHA1:${hash.digest("hex")}` };
  const files = `${server.url}/remote.php/dav/files/${server.username}`;
  const call = async (
    authorization: string,
    method: string,
    url: string,
    headers: Record<string, string> = {},
    body?: Blob,
  ) => await done(await fetch(url, { method, headers: { authorization, ...headers }, body }));
  const inChunks = async (authorization: string, headers: Record<string, string>) => {
    const name = crypto.randomUUID();
    const upload = `${server.url}/remote.php/dav/uploads/${server.username}/${name}`;
    const more = { destination: `${files}/file.bin`, "oc-total-length": String(size) };
    await call(authorization, "MKCOL", upload, more);
    for (let start = 0, number = 1; start < size; start += chunkBytes, number++) {
      const part = whole.slice(start, Math.min(size, start + chunkBytes));
      await call(authorization, "PUT", `${upload}/${String(number).padStart(5, "0")}`, more, part);
    }
    await call(authorization, "MOVE", `${upload}/.file`, { ...more, ...headers });
  };
  const put = (authorization: string, headers = {}) =>
    call(authorization, "PUT", `${files}/file.bin`, headers, whole);
  const runs = [
    { name: "by one PUT", run: () => put(plain) },
    { name: "by one PUT with SHA1", run: () => put(summed, sum) },
    { name: "in chunks of 10 MiB", run: () => inChunks(plain, {}) },
    { name: "in chunks of 10 MiB with SHA1", run: () => inChunks(summed, sum) },
  ];
  const processorMs = runs.map((): number[] => []);
  const timed = runs.map(({ name, run }, index) => ({
    name,
    async run() {
      const before = processorTimeOf(server.pid);
      const seconds = await secondsOf(run);
      processorMs[index]?.push(processorTimeOf(server.pid) - before);
      await Deno.remove(join(server.root, "file.bin"));
      return seconds;
    },
  }));
  const seconds = await race(timed, isQuick ? 1 : 4);
  const rows = runs.map(({ name }, index): Row => {
    const [own = NaN, by = NaN] = [seconds[index], seconds[index % 2]];
    const ratio = own / by;
    return {
      what: `upload of ${size / 2 ** 20} MiB ${name}`,
      cubby: `${duration(own)}, ${duration(median(processorMs[index] ?? []) / 1000)} of a core`,
      ...index >= 2 && {
        ...{ against: runs[index % 2]?.name, ratio },
        target: atMost(ratio, 1.2, "1.2x"),
      },
    };
  });
  console.log(table(rows));
}
