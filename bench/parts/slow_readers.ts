import { join } from "node:path";
import { plantNoise } from "../../tests/support/disks/files.ts";
import { requestHead } from "../../tests/support/clients/raw_http.ts";
import { type RunningServer, startServer } from "../../tests/support/server/server.ts";
import { SlowReaders } from "../../tests/support/clients/slow_readers.ts";
import { residentMemory } from "../memory.ts";
import { bigFile, type Setup, signIn } from "../set_up.ts";
import { Pinger } from "../stall.ts";
import { atMost, type Row } from "../table.ts";

/** How many connections ask, and read nothing. */
const readers = 400;

/** How long others are asked before, in milliseconds: what they wait then is the machine's share. */
const restMs = 2_000;

/** How long the readers are left alone, in milliseconds, and how long the server has to recover. */
const heldMs = 8_000;
const recoveryMs = 5_000;

/** The largest text that is answered with its content, in bytes. */
const textSize = 10 * 1024 * 1024;

/** What is asked for: `{share}` becomes the hash of a share of the root, asked for without a session. */
const kinds: [what: string, path: (setup: Setup) => string][] = [
  ["a text of 10 MiB", () => "/api/resources/long.txt"],
  ["zip archives", () => "/api/raw/packed?algo=zip"],
  ["tar.gz archives", () => "/api/raw/packed?algo=tar.gz"],
  ["tar.zst archives", () => "/api/raw/packed?algo=tar.zst"],
  ["tar.br archives", () => "/api/raw/packed?algo=tar.br"],
  ["tar.xz archives", () => "/api/raw/packed?algo=tar.xz"],
  ["archives of a share", () => "/api/public/dl/{share}/packed?algo=zip"],
  ["a listing of all", ({ folders }) => `/api/resources/of-${folders.at(-1)}/`],
  ["searches", () => "/api/search/?query=item"],
  ["a file of 1 GiB", () => `/api/raw/${bigFile}`],
];

/**
 * The memory that answers hold whose readers take nothing, of each kind on a server of its own: at
 * rest, while they wait, and when they are gone. Others are served meanwhile.
 */
export async function measureSlowReaders(setup: Setup): Promise<Row[]> {
  await Deno.mkdir(join(setup.root, "packed"));
  await plantNoise(join(setup.root, "packed", "noise.bin"), 64 * 2 ** 20);
  const line = "A line of text, as long as lines are in most files.\n";
  const text = line.repeat(textSize / line.length);
  await Deno.writeTextFile(join(setup.root, "long.txt"), text);
  const rows: Row[] = [];
  for (const [what, path] of kinds) rows.push(...await hold(setup.root, what, path(setup)));
  return rows;
}

async function hold(root: string, what: string, path: string): Promise<Row[]> {
  await using server = await startServer({ root });
  const token = await signIn(server);
  const isShared = path.includes("{share}");
  const address = isShared ? path.replace("{share}", await share(server, token)) : path;
  const { hostname, port } = new URL(server.url);
  const head = requestHead("GET", address, isShared ? {} : { "x-auth": token });

  using pinger = new Pinger(server.url);
  await pinger.longest();
  await pause(restMs);
  const rest = await pinger.longest();
  const before = residentMemory(server);
  let peak = before;
  let served: number;
  {
    using slow = new SlowReaders({ hostname, port: Number(port) });
    while (slow.count < readers) {
      slow.add(head);
      await pause(1);
    }
    const end = Date.now() + heldMs;
    while (Date.now() < end) {
      peak = Math.max(peak, residentMemory(server));
      await pause(50);
    }
    served = slow.statuses().filter((status) => status === 200).length;
  }
  const longest = await pinger.longest();
  await pause(recoveryMs);
  const after = residentMemory(server);
  const others = `${readers} slow readers of ${what}`;
  return [
    {
      what: `memory with ${others}`,
      cubby: `${peak.toFixed(0)} MB`,
      against: `${before.toFixed(0)} MB before, ${after.toFixed(0)} MB after; ${served} served`,
      target: atMost(peak, 400, "400 MB"),
    },
    {
      what: `longest wait for /health with ${others}`,
      cubby: `${longest.toFixed(1)} ms`,
      against: `at rest ${rest.toFixed(1)} ms`,
      target: atMost(longest, 50, "50 ms"),
    },
  ];
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

async function share({ url }: RunningServer, token: string): Promise<string> {
  const headers = { "x-auth": token, "content-type": "application/json" };
  const answer = await fetch(`${url}/api/share/`, { method: "POST", headers, body: "{}" });
  if (!answer.ok) throw new Error(`Cannot share the root: ${answer.status}`);
  return (await answer.json()).hash;
}
