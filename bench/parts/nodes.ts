import { join } from "node:path";
import { temporaryFolder } from "../../tests/support/disks/files.ts";
import { processorTime } from "../../tests/support/probes/processes.ts";
import {
  denokvAdvice,
  findDenokv,
  type RunningStore,
  startDenokv,
} from "../../tests/support/services/denokv.ts";
import { type RunningServer, startServer } from "../../tests/support/server/server.ts";
import { delay } from "../../lib/shared/delay.ts";
import { Connection } from "../keep_alive.ts";
import { admit, makeHomes, password, type Person } from "../people.ts";
import type { Setup } from "../set_up.ts";
import { rate, type Row } from "../table.ts";

/** Connections of the clients in all; those who sign in are fewer, as each costs 50 ms of bcrypt. */
const connections = 32;
const connectionsOfSignIns = 4;

/** Reads and writes that are asked of the store at once. */
const atOnce = 32;

/** Folders that are open at a time, and for how long they are looked at. */
const watchers = 500;
const watchedSeconds = 10;

/** Bytes of an upload. */
const uploadSize = 1024;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Asks for something as one of the people. */
type Ask = (host: string, person: Person) => Uint8Array;

const asks: Record<string, Ask> = {
  "a session and one record": (host, { token }) => get(host, token, "/api/favorites"),
  "listings of 10": (host, { token }) => get(host, token, "/api/resources/"),
  "uploads of 1 KiB": (host, { token }) =>
    post(host, token, `/api/resources/${crypto.randomUUID()}.bin`, new Uint8Array(uploadSize)),
};

/**
 * Ten thousand people with accounts, homes and open sessions: each request is made as another of
 * them, picked at random. One server with a store in a file, then one and two on a KV Connect
 * server; all of it, and the clients, on this machine.
 */
export async function measureNodes({ rounds }: Setup): Promise<Row[]> {
  if (findDenokv() === null) {
    console.error(`nodes: not measured: ${denokvAdvice}`);
    return [];
  }
  const isQuick = rounds === 1;
  const count = isQuick ? 300 : 10_000;
  const seconds = isQuick ? 1 : 5;
  await using stack = new AsyncDisposableStack();
  const folder = stack.use(await temporaryFolder());
  const root = join(folder.path, "root");
  Deno.mkdirSync(root);
  makeHomes(root, count);
  const start = async (...flags: string[]) => {
    const server = await startServer({ root, flags });
    stack.defer(async () => void await server.stop());
    return server;
  };

  const alone = await start();
  const own = await admit(join(alone.data, "cubby.kv"), count);
  const rows = await rowsOf("1 node, a store in a file", { servers: [alone] }, own, seconds);
  await alone.stop();

  const store = stack.use(await startDenokv(folder.path));
  const first = await start("--database", store.url);
  const people = await admit(store.url, count);
  rows.push(...await rowsOf("1 node, denokv", { servers: [first], store }, people, seconds));
  rows.push(await rowOfWatchers(first, store, people.slice(0, watchers)));
  const second = await start("--database", store.url);
  rows.push(
    ...await rowsOf("2 nodes, denokv", { servers: [first, second], store }, people, seconds),
  );
  await Promise.all([first.stop(), second.stop()]);
  rows.push(...await rowsOfStore(store.url, people.length, seconds));
  return rows;
}

async function rowsOf(
  name: string,
  { servers, store }: { servers: RunningServer[]; store?: RunningStore },
  people: readonly Person[],
  seconds: number,
): Promise<Row[]> {
  const rows: Row[] = [];
  const measure = async (what: string, clients: number, ask: Ask) => {
    const pids = servers.map(({ pid }) => pid);
    const [before, storeBefore] = [cpuMs(...pids), cpuMs(...store ? [store.pid()] : [])];
    const end = performance.now() + seconds * 1000;
    const counts = await Promise.all(Array.from({ length: clients }, async (_, client) => {
      const { url } = servers[client % servers.length] ?? { url: "" };
      using connection = await Connection.open(url, "");
      let count = 0;
      for (; performance.now() < end; count++) {
        const person = people[Math.floor(Math.random() * people.length)];
        if (person) await connection.request(ask(new URL(url).host, person));
      }
      return count;
    }));
    const total = counts.reduce((sum, count) => sum + count, 0);
    const own = (cpuMs(...pids) - before) / total;
    const its = store ? (cpuMs(store.pid()) - storeBefore) / total : 0;
    rows.push({
      what: `${name}: ${what} a second`,
      cubby: rate(total / seconds),
      against: `CPU each: server ${own.toFixed(2)} ms` +
        (store ? `, store ${its.toFixed(2)} ms` : ""),
    });
  };
  for (const [what, ask] of Object.entries(asks)) await measure(what, connections, ask);
  await measure("sign-ins", connectionsOfSignIns, (host, { name }) => {
    const body = encoder.encode(JSON.stringify({ username: name, password }));
    return post(host, "", "/api/login", body);
  });
  return rows;
}

/** What open folders cost in which nothing happens: pages ask for news, and must stay signed in. */
async function rowOfWatchers(
  server: RunningServer,
  store: RunningStore,
  people: readonly Person[],
): Promise<Row> {
  const gone = new AbortController();
  let ended = 0;
  const streams = await Promise.all(people.map(async ({ token }) => {
    const headers = { "x-auth": token };
    const answer = await fetch(`${server.url}/api/watch/`, { headers });
    if (!answer.ok) throw new Error(`Cannot watch: ${answer.status} ${await answer.text()}`);
    return answer.body;
  }));
  const reading = streams.map((stream) =>
    stream?.pipeTo(new WritableStream(), { signal: gone.signal }).catch(() => {}).finally(() =>
      ended++
    )
  );
  await delay(1_000);
  const before = [cpuMs(server.pid), cpuMs(store.pid())] as const;
  await delay(watchedSeconds * 1_000);
  const perFolder = (now: number, then: number) =>
    `${((now - then) / watchedSeconds / people.length).toFixed(3)} ms`;
  const own = perFolder(cpuMs(server.pid), before[0]);
  const its = perFolder(cpuMs(store.pid()), before[1]);
  if (ended > 0) throw new Error(`Cannot trust the measure: ${ended} streams have ended`);
  gone.abort();
  await Promise.all(reading);
  return {
    what: `1 node, denokv: ${people.length} open folders, each, a second`,
    cubby: "",
    against: `CPU: server ${own}, store ${its}`,
  };
}

/** What the store itself can take from clients that do nothing else. */
async function rowsOfStore(url: string, users: number, seconds: number): Promise<Row[]> {
  const kv = await Deno.openKv(url);
  const measure = async (work: () => Promise<unknown>) => {
    const end = performance.now() + seconds * 1000;
    const counts = await Promise.all(Array.from({ length: atOnce }, async () => {
      let count = 0;
      for (; performance.now() < end; count++) await work();
      return count;
    }));
    return counts.reduce((sum, count) => sum + count, 0) / seconds;
  };
  const any = () => 2 + Math.floor(Math.random() * users);
  try {
    const reads = await measure(() => kv.getMany([["users", any()], ["settings"], ["schema"]]));
    const writes = await measure(() => kv.set(["bench", any()], "x".repeat(500)));
    return [
      {
        what: `denokv alone: reads of three records a second, ${atOnce} at once`,
        cubby: rate(reads),
      },
      { what: `denokv alone: commits a second, ${atOnce} at once`, cubby: rate(writes) },
    ];
  } finally {
    kv.close();
  }
}

/** Processor time that processes have used, in milliseconds: what no other load changes much. */
function cpuMs(...pids: number[]): number {
  return pids.reduce((sum, pid) => sum + processorTime(pid), 0);
}

function get(host: string, token: string, path: string): Uint8Array {
  return encoder.encode(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\nX-Auth: ${token}\r\n\r\n`);
}

function post(host: string, token: string, path: string, body: Uint8Array): Uint8Array {
  const head = [
    `POST ${path} HTTP/1.1`,
    `Host: ${host}`,
    `Content-Length: ${body.length}`,
    ...(token === "" ? [] : [`X-Auth: ${token}`]),
  ];
  return encoder.encode(`${head.join("\r\n")}\r\n\r\n${decoder.decode(body)}`);
}
