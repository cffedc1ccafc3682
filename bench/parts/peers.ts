import { join } from "node:path";
import { plantTree as plantArchived } from "./archives.ts";
import { curlArgs, fetchAll, has, runQuietly } from "../commands.ts";
import { type PeerServer, peersHere } from "../peer_servers.ts";
import { plantPhoto } from "./previews.ts";
import { race, secondsOf } from "../race.ts";
import { wrkRate } from "./requests.ts";
import { plantTree } from "./search.ts";
import { bigFile, type Setup } from "../set_up.ts";
import { duration, markdown, rate, type Row } from "../table.ts";

/** A line of the table: what one server does, as a figure that is shown in its unit. */
interface Measure {
  what: string;
  show(value: number): string;
  /** Null for a server that can't do it. */
  run: (server: PeerServer) => (() => Promise<number>) | null;
  rounds?: number;
}

const photo = "peers-photo.jpg";
const zipped = "peers-zip";

/**
 * Measures Cubby, File Browser, dufs and copyparty on one root in one run, each started as people
 * start it, and prints a table of its own. Those that are not on PATH are named with the way to get
 * them.
 */
export async function measurePeers(setup: Setup): Promise<Row[]> {
  if (!has("wrk")) throw new Error("Cannot measure peers: wrk is not installed");
  const { root, rounds } = setup;
  const isQuick = rounds === 1;
  const [count, megabytes] = isQuick ? [10_000, 50] : [200_000, 500];
  for (const perFolder of [10, 100]) {
    plantTree(join(root, `peers-${perFolder}`), count / perFolder, perFolder);
  }
  await plantArchived(join(root, zipped), megabytes);
  await plantPhoto(join(root, photo));

  const folder = await Deno.makeTempDir({ prefix: "cubby-peers-" });
  await using stack = new AsyncDisposableStack();
  stack.defer(() => Deno.remove(folder, { recursive: true }));
  const servers: PeerServer[] = [];
  for (const peer of peersHere()) servers.push(stack.use(await peer.start(root, folder)));
  // At rest, before anything is asked.
  await new Promise((resolve) => setTimeout(resolve, 3_000));
  const memory = (kind: "Pss" | "Rss") =>
    servers.map((server) => `${server.memory(kind).toFixed(0)} MB`);
  const [atRest, residentAtRest] = [memory("Pss"), memory("Rss")];

  const lines: string[][] = [];
  for (const measure of measures(setup, folder, count, megabytes)) {
    lines.push([measure.what, ...await lineOf(measure, servers, measure.rounds ?? rounds)]);
  }
  lines.push(
    ["memory at rest, shared pages in part (PSS)", ...atRest],
    ["memory at rest, shared pages in full (RSS)", ...residentAtRest],
    ["memory in the end (PSS)", ...memory("Pss")],
    ["from the command to a connection", ...servers.map((each) => duration(each.startSeconds))],
  );
  console.log(markdown(["", ...servers.map(({ name }) => name)], lines));
  return [];
}

function measures(
  { root, bigSize }: Setup,
  folder: string,
  count: number,
  megabytes: number,
): Measure[] {
  const size = bigSize >= 2 ** 30 ? `${bigSize / 2 ** 30} GiB` : `${bigSize / 2 ** 20} MiB`;
  const searches = [10, 100].map((perFolder): Measure => ({
    what: `search of ${count.toLocaleString("en")}, ${perFolder} a folder`,
    show: duration,
    run: ({ search, headers }) =>
      search && (() => fetchAll(headers, search(`peers-${perFolder}`, "9999"))),
  }));
  const downloads = [1, 8].map((clients): Measure => ({
    what: `download of ${size} by ${clients}`,
    show: duration,
    run: ({ download, headers }) => () => fetchAll(headers, download(bigFile), clients),
  }));
  return [
    {
      what: "listing of 50, requests/s, 16 connections",
      show: rate,
      run: ({ list, headers }) => () => wrkRate(list("of-50"), headers, 16),
    },
    ...searches,
    {
      what: "uploads of 1 KiB, 5 at once",
      show: rate,
      run: (server) => () => smallUploads(server, folder),
    },
    ...downloads,
    {
      what: `upload of ${size}`,
      show: duration,
      run: ({ upload, headers }) => () => sendFile(upload, headers, join(root, bigFile)),
    },
    {
      what: `zip of ${megabytes} MB, stored`,
      show: duration,
      run: ({ zip, headers }) => () => fetchAll(headers, zip(zipped)),
    },
    {
      what: "the same thumbnail again",
      show: duration,
      run: ({ thumbnail, headers }) => thumbnail && (() => fetchAll(headers, thumbnail(photo))),
      rounds: 15,
    },
  ];
}

/** The servers take turns, so that a slow spell of the machine falls on all. */
async function lineOf(
  { what, show, run }: Measure,
  servers: readonly PeerServer[],
  rounds: number,
): Promise<string[]> {
  const contenders = servers.flatMap((server) => {
    const work = run(server);
    return work ? [{ name: `${what}, ${server.name}`, server, run: work }] : [];
  });
  const results = await race(contenders, rounds);
  return servers.map((server) => {
    const place = contenders.findIndex((each) => each.server === server);
    return place < 0 ? "-" : show(results[place] ?? NaN);
  });
}

function sendFile(
  { method, url }: PeerServer["upload"],
  headers: readonly string[],
  file: string,
): Promise<number> {
  const args = curlArgs(headers);
  const target = url("uploads/peers-big.bin");
  return secondsOf(() =>
    runQuietly("curl", ...args, "--request", method, "--upload-file", file, target)
  );
}

let batch = 0;

/** New files by wrk, which takes little of the processor; each name is used once. */
async function smallUploads({ upload, headers }: PeerServer, folder: string): Promise<number> {
  const script = join(folder, "uploads.lua");
  const target = new URL(upload.url(`uploads/peers-${batch++}-NUMBER.txt`));
  await Deno.writeTextFile(script, uploadScript(upload.method, target));
  return await wrkRate(target.origin, headers, 5, ["--script", script]);
}

function uploadScript(method: string, { pathname, search }: URL): string {
  return `local body = string.rep("a", 1024)
local number = 0
request = function()
  number = number + 1
  local path = string.gsub("${pathname}${search}", "NUMBER", tostring(number))
  return wrk.format("${method}", path, nil, body)
end
`;
}
