/**
 * `deno task soak [MINUTES] [CLIENTS]`: mixed work of many clients at once on one server with two
 * workers, 20 minutes and 64 clients unless told otherwise. Every minute it prints the server's
 * memory and open descriptors; at the end the times of each kind of work. The exit status is 1 when
 * anything was answered otherwise than it should be.
 */
import { join } from "node:path";
import { plant, plantBytes } from "../tests/support/disks/files.ts";
import { quarters } from "../tests/support/data/pictures.ts";
import { startServer } from "../tests/support/server/server.ts";
import { memoryOf, openDescriptors } from "./memory.ts";
import { signIn } from "./set_up.ts";
import { duration } from "./table.ts";

const [minutes, clients] = [Number(Deno.args[0] ?? 20), Number(Deno.args[1] ?? 64)];
if (!(minutes > 0 && clients > 0)) {
  console.error("Cannot load the server: say minutes and clients as numbers above 0");
  Deno.exit(2);
}

const pictures = 40;
const text = "The cub naps beside the river.\n".repeat(550);

await using server = await startServer({ workers: 2, prepare: plantRoot });
const token = await signIn(server);
const times = new Map<string, number[]>();
const failures = new Map<string, number>();
const end = performance.now() + minutes * 60_000;

/** One client's own folder, and a count for names. */
interface Client {
  folder: string;
  count: number;
}

/** Kinds of work, with how often each is done among a hundred. */
const kinds: [share: number, name: string, work: (client: Client) => Promise<void>][] = [
  [26, "listing of 1,000, the first 50", () => get("/api/resources/many?limit=50")],
  [10, "listing of 40", () => get("/api/resources/pictures")],
  [14, "upload of 17 KB", ({ folder, count }) => upload(`${folder}/${count % 50}.txt`)],
  [8, "download of 1 MiB of 64", () => get("/api/raw/large.bin", { range: someMegabyte() })],
  [12, "thumbnail", () => get(`/api/preview/thumb/pictures/${some(pictures)}.jpg`)],
  [5, "search", () => get(`/api/search/?query=${some(1000)}%20item`)],
  [6, "copy, rename and delete", shuffle],
  [4, "folder made and deleted", makeAndRemove],
  [3, "upload in two parts", uploadInParts],
  [3, "zip of 40 pictures", () => get("/api/raw/pictures?algo=zip")],
  [3, "share, visit, end of share", shareAndVisit],
  [3, "download left halfway", leaveHalfway],
  [2, "watch for a second", watchABit],
  [1, "signing in and out", signInAndOut],
];

async function plantRoot(root: string): Promise<void> {
  const many = Object.fromEntries(Array.from({ length: 1_000 }, (_, n) => [`${n} item.txt`, text]));
  await plant(root, { many, pictures: {} });
  await plantBytes(join(root, "large.bin"), 64 * 2 ** 20);
  for (let index = 0; index < pictures; index++) {
    const file = join(root, "pictures", `${index}.jpg`);
    await quarters(1_200 + index, 800).jpeg().toFile(file);
  }
}

function some(count: number): number {
  return Math.floor(Math.random() * count);
}

function someMegabyte(): string {
  const start = some(63) * 2 ** 20;
  return `bytes=${start}-${start + 2 ** 20 - 1}`;
}

/** Asks and reads the whole answer. @throws Error for a status other than these */
async function ask(
  method: string,
  path: string,
  init: { headers?: Record<string, string>; body?: BodyInit; token?: string } = {},
  ...expected: number[]
): Promise<{ text: string; headers: Headers }> {
  const { body, token: own = token } = init;
  const headers = { "x-auth": own, ...init.headers };
  const answer = await fetch(server.url + path, { method, headers, body });
  const bytes = await answer.bytes();
  const isRight = expected.length > 0 ? expected.includes(answer.status) : answer.ok;
  if (!isRight) throw new Error(`${method}: ${answer.status} ${decode(bytes.subarray(0, 200))}`);
  return { text: bytes.length < 100_000 ? decode(bytes) : "", headers: answer.headers };
}

function decode(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

async function get(path: string, headers?: Record<string, string>): Promise<void> {
  await ask("GET", path, { headers });
}

async function upload(path: string): Promise<void> {
  await ask("POST", `/api/resources/${path}?override=true`, { body: text });
}

async function shuffle({ folder, count }: Client): Promise<void> {
  const [from, to] = [`${folder}/copy-${count}.jpg`, `${folder}/moved-${count}.jpg`];
  const at = `/api/resources/pictures/${some(pictures)}.jpg`;
  await ask("PATCH", `${at}?action=copy&destination=/${from}`);
  await ask("PATCH", `/api/resources/${from}?action=rename&destination=/${to}`);
  await ask("DELETE", `/api/resources/${to}?trash=${count % 2 === 0}`);
}

async function makeAndRemove({ folder, count }: Client): Promise<void> {
  await ask("POST", `/api/resources/${folder}/made-${count}/deep/`);
  await upload(`${folder}/made-${count}/deep/file.txt`);
  await ask("DELETE", `/api/resources/${folder}/made-${count}/`);
}

async function uploadInParts({ folder, count }: Client): Promise<void> {
  const path = `/api/tus/${folder}/parts-${count % 20}.txt?override=true`;
  const begun = { "upload-length": String(text.length) };
  const { headers } = await ask("POST", path, { headers: begun }, 201);
  const location = new URL(headers.get("location") ?? path, server.url);
  const half = text.length / 2;
  for (const start of [0, half]) {
    const part = {
      "upload-offset": String(start),
      "content-type": "application/offset+octet-stream",
    };
    const body = text.slice(start, start + half);
    await ask("PATCH", location.pathname + location.search, { headers: part, body }, 204);
  }
}

async function shareAndVisit(): Promise<void> {
  const path = `/api/share/pictures/${some(pictures)}.jpg`;
  const { hash } = JSON.parse((await ask("POST", path, { body: "{}" })).text);
  await ask("GET", `/api/public/share/${hash}`, { token: "" });
  await ask("GET", `/api/public/dl/${hash}`, { token: "" });
  await ask("DELETE", `/api/share/${hash}`);
}

async function leaveHalfway(): Promise<void> {
  const aborter = new AbortController();
  const init = { headers: { "x-auth": token }, signal: aborter.signal };
  const answer = await fetch(`${server.url}/api/raw/large.bin`, init);
  const reader = answer.body?.getReader();
  await reader?.read();
  aborter.abort();
}

async function watchABit({ folder }: Client): Promise<void> {
  const aborter = new AbortController();
  const init = { headers: { "x-auth": token }, signal: aborter.signal };
  const answer = await fetch(`${server.url}/api/watch/${folder}`, init);
  // One user may watch so many folders at a time, and no more.
  if (answer.status === 429) return await answer.body?.cancel();
  if (!answer.ok) throw new Error(`watch: ${answer.status}`);
  const reader = answer.body?.getReader();
  await reader?.read();
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  aborter.abort();
}

async function signInAndOut(): Promise<void> {
  const own = await signIn(server);
  await ask("GET", "/api/sessions", { token: own });
  await ask("POST", "/api/logout", { token: own });
  await ask("GET", "/api/sessions", { token: own }, 401);
}

async function run(index: number): Promise<void> {
  const client: Client = { folder: `clients/${index}`, count: 0 };
  await ask("POST", `/api/resources/${client.folder}/`);
  while (performance.now() < end) {
    client.count++;
    let left = Math.random() * 100;
    const [, name, work] = kinds.find(([share]) => (left -= share) < 0) ?? kinds[0]!;
    const start = performance.now();
    try {
      await work(client);
      const list = times.get(name) ?? [];
      list.push(performance.now() - start);
      times.set(name, list);
    } catch (error) {
      const reason = `${name}: ${error instanceof Error ? error.message : error}`;
      failures.set(reason, (failures.get(reason) ?? 0) + 1);
    }
  }
}

function report(minute: number): void {
  const done = [...times.values()].reduce((sum, list) => sum + list.length, 0);
  const memory = memoryOf(server.pid).toFixed(0);
  const failed = [...failures.values()].reduce((sum, count) => sum + count, 0);
  console.log(
    `| ${minute} | ${done.toLocaleString("en")} | ${failed} | ${memory} MB | ${
      openDescriptors(server)
    } |`,
  );
}

console.log("| minute | done | failed | memory (PSS) | descriptors |\n|---|---|---|---|---|");
report(0);
let minute = 0;
const reporting = setInterval(() => report(++minute), 60_000);
await Promise.all(Array.from({ length: clients }, (_, index) => run(index)));
clearInterval(reporting);
await new Promise((resolve) => setTimeout(resolve, 10_000));
console.log("Ten seconds after the end:");
report(minutes);

console.log("\n| kind | times | median | p99 | longest |\n|---|---|---|---|---|");
for (const [name, list] of times) {
  list.sort((a, b) => a - b);
  const at = (part: number) =>
    duration((list[Math.min(list.length - 1, Math.floor(list.length * part))] ?? NaN) / 1000);
  console.log(
    `| ${name} | ${list.length.toLocaleString("en")} | ${at(0.5)} | ${at(0.99)} | ${at(1)} |`,
  );
}
for (const [reason, count] of failures) console.error(`${count} times: ${reason}`);
const warnings = server.output().split("\n").filter((line) =>
  /Failed:|Unhandled|panick/.test(line)
);
for (const line of warnings.slice(0, 20)) console.error(`In the log: ${line}`);
await server.stop();
Deno.exit(failures.size + warnings.length > 0 ? 1 : 0);
