import { join } from "node:path";
import { plantTree as plantArchived } from "./archives.ts";
import { fetchAll, has, run, runQuietly } from "../commands.ts";
import {
  type Peer,
  type PeerRequest,
  peers,
  type PeerServer,
  peersHere,
  requestArgs,
  send,
  startPeer,
} from "../peer_servers.ts";
import { plantPhoto } from "./previews.ts";
import { race, secondsOf } from "../race.ts";
import { wrkRate } from "./requests.ts";
import { plantTree } from "./search.ts";
import { bigFile, fillFolder, type Setup } from "../set_up.ts";
import { duration, markdown, rate, type Row } from "../table.ts";

/** A line of the table: what one server does, as a figure that is shown in its unit. */
interface Measure {
  what: string;
  show: (value: number) => string;
  /** Undefined for a server that can't do it. */
  run: (server: PeerServer) => (() => Promise<number>) | undefined;
  rounds?: number;
}

/** A line of figures, one for each server; undefined where it has none. */
interface Line {
  what: string;
  show: (value: number) => string;
  values: (number | undefined)[];
}

const photo = "peers-photo.jpg";
const archived = "peers-zip";
const tusStep = 10 * 2 ** 20;

/**
 * Measures Cubby and its peers on one root in one run, each started as people start it. Prints a
 * table of its own: each figure and its ratio to the best of the file managers, above 1 where it is
 * behind. Those that are not on PATH are named with the way to get them.
 */
export async function measurePeers(setup: Setup): Promise<Row[]> {
  const { root } = setup;
  const isQuick = setup.rounds === 1;
  const [count, megabytes] = isQuick ? [10_000, 50] : [200_000, 500];
  for (const perFolder of [10, 100]) {
    plantTree(join(root, `peers-${perFolder}`), count / perFolder, perFolder);
  }
  await plantArchived(join(root, archived), megabytes);
  await plantPhoto(join(root, photo));
  await compare(setup, peers, (folder) => measures(setup, folder, count, megabytes));
  return [];
}

/** WebDAV alone, beside the servers that people use for it: a table as of {@linkcode measurePeers}. */
export async function measureDav(setup: Setup): Promise<Row[]> {
  const rivals = peers.filter(({ name }) => /^(Cubby|rclone|dufs|Quantum)/.test(name));
  await compare(setup, rivals, (folder) => davMeasures(setup, folder));
  return [];
}

async function compare(
  setup: Setup,
  rivals: readonly Peer[],
  measuresIn: (folder: string) => Measure[],
): Promise<void> {
  if (!has("wrk")) throw new Error("Cannot measure peers: wrk is not installed");
  const { root, folders } = setup;
  // Nine servers take turns in twenty rows.
  const rounds = Math.min(setup.rounds, 3);
  for (const size of [1_000, 10_000]) {
    if (!folders.includes(size)) fillFolder(join(root, `of-${size}`), size);
  }

  await using stack = new AsyncDisposableStack();
  const folder = await Deno.makeTempDir({ prefix: "cubby-peers-" });
  stack.defer(() => Deno.remove(folder, { recursive: true }));
  const here = peersHere(rivals);
  const servers: PeerServer[] = [];
  for (const peer of here) servers.push(stack.use(await startPeer(peer, root, folder)));
  // At rest, before anything is asked.
  await new Promise((resolve) => setTimeout(resolve, 3_000));
  const memory = (what: string, kind: "Pss" | "Rss"): Line => ({
    what,
    show: (value) => `${value.toFixed(0)} MB`,
    values: servers.map((server) => server.memory(kind)),
  });
  const yardsticks = new Set(here.flatMap((peer, place) => peer.isYardstick ? [place] : []));
  const lines: Line[] = [];
  // A run takes twenty minutes: each row appears as soon as it is complete.
  let begun = performance.now();
  const add = (line: Line) => {
    lines.push(line);
    const took = duration((performance.now() - begun) / 1000);
    console.error(`${cellsOf(line, yardsticks).join(" | ")} (row took ${took})`);
    begun = performance.now();
  };
  add(memory("memory at rest, shared pages in part (PSS)", "Pss"));
  add(memory("memory at rest, shared pages in full (RSS)", "Rss"));
  for (const measure of measuresIn(folder)) {
    for (const server of servers) await server.renew?.();
    add(await lineOf(measure, servers, measure.rounds ?? rounds));
  }
  add(memory("memory in the end (PSS)", "Pss"));
  add({
    what: "from the command to the first answer",
    show: duration,
    values: servers.map(({ startSeconds }) => startSeconds),
  });
  console.log(markdown(
    ["", ...here.map(({ name }) => name)],
    lines.map((line) => cellsOf(line, yardsticks)),
  ));
}

function cellsOf({ what, show, values }: Line, yardsticks: ReadonlySet<number>): string[] {
  const rivals = values.filter((value, place) => value !== undefined && !yardsticks.has(place));
  const isRate = show === rate;
  const best = isRate ? Math.max(...rivals as number[]) : Math.min(...rivals as number[]);
  const cells = values.map((value) => {
    if (value === undefined) return "-";
    const ratio = isRate ? best / value : value / best;
    if (ratio === Infinity) return show(value);
    return `${show(value)} ${ratio.toFixed(ratio < 10 ? 2 : 0)}x`;
  });
  return [what, ...cells];
}

function measures(
  { root, bigSize, folders }: Setup,
  folder: string,
  count: number,
  megabytes: number,
): Measure[] {
  const size = bigSize >= 2 ** 30 ? `${bigSize / 2 ** 30} GiB` : `${bigSize / 2 ** 20} MiB`;
  const { sent, small } = senders(folder);
  const listings = folders.filter((entries) => entries >= 1_000).map((entries): Measure => ({
    what: `listing of ${entries.toLocaleString("en")}`,
    show: duration,
    run: ({ list, headers }) => () => fetchAll(headers, list(`of-${entries}`)),
  }));
  const searches = [10, 100].map((perFolder): Measure => ({
    what: `search of ${count.toLocaleString("en")} names, ${perFolder} a folder`,
    show: duration,
    run: ({ search, headers }) =>
      search && (() => fetchAll(headers, search(`peers-${perFolder}`, "9999"))),
  }));
  const downloads = [1, 8].map((clients): Measure => ({
    what: `download of ${size} by ${clients}`,
    show: duration,
    run: ({ download, headers }) => () => fetchAll(headers, download(bigFile), clients),
  }));
  const source = join(root, bigFile);
  /** Sends a large file, of which the disk has no room for one a call. */
  const thenRemoved = async (send: (path: string) => Promise<number>) => {
    const path = sent();
    const seconds = await send(path);
    await Deno.remove(join(root, path));
    return seconds;
  };
  return [
    {
      what: "listings of 50, 16 at once",
      show: rate,
      run: ({ list, headers }) => () => wrkRate(list("of-50"), headers, 16),
    },
    ...listings,
    ...searches,
    ...downloads,
    {
      what: `upload of ${size}`,
      show: duration,
      run: ({ upload: { method, url }, headers }) => () =>
        thenRemoved((path) => sendFile(method, url(path), headers, source)),
    },
    {
      what: `upload of ${size} by tus, steps of 10 MiB`,
      show: duration,
      run: ({ tus, headers }) =>
        tus && (() => thenRemoved((path) => sendBySteps(tus(path), headers, source))),
    },
    {
      what: "uploads of 1 KiB, 5 at once",
      show: rate,
      run: ({ upload: { method, url }, headers }) => () => small(method, url, headers),
    },
    {
      what: `zip of ${megabytes} MB, stored`,
      show: duration,
      run: ({ zip, headers }) => zip && (() => secondsOf(() => send(zip(archived), headers))),
    },
    {
      what: `tar.gz of ${megabytes} MB`,
      show: duration,
      run: ({ tarGz, headers }) => tarGz && (() => fetchAll(headers, tarGz(archived))),
    },
    {
      what: "thumbnail of 12 megapixels, first",
      show: duration,
      run: ({ thumbnail, headers }) =>
        thumbnail && (async () => {
          const name = `${sent()}.jpg`;
          await Deno.copyFile(join(root, photo), join(root, name));
          return await fetchAll(headers, thumbnail(name));
        }),
    },
    {
      what: "the same thumbnail again",
      show: duration,
      run: ({ thumbnail, headers }) => thumbnail && (() => fetchAll(headers, thumbnail(photo))),
      rounds: 15,
    },
    {
      // Copies stay until the end of the run: for up to half a minute, ext4 looks for an inode for
      // each new file among those that were just freed, which takes the next copy up to 5 s.
      what: "copy of 9,000 files and 1,000 folders",
      show: duration,
      run: ({ copy, headers }) =>
        copy && (async () => {
          const to = `peers-copy-${crypto.randomUUID()}`;
          const seconds = await secondsOf(() => send(copy("of-10000", to), headers));
          const copied = [...Deno.readDirSync(join(root, to))].filter(({ isFile }) => isFile);
          if (copied.length !== 9_000) {
            throw new Error(`Cannot trust the copy: it has ${copied.length} files`);
          }
          return seconds;
        }),
    },
    ...davMeasures({ bigSize }, folder).slice(0, 2),
    {
      what: "sign-ins, 4 at once",
      show: rate,
      run: ({ signIn }) => signIn && (() => requestRate(signIn, folder)),
    },
  ];
}

/** The first two are among all measures, too. */
function davMeasures({ bigSize }: Pick<Setup, "bigSize">, folder: string): Measure[] {
  const { small } = senders(folder);
  const listing = (entries: number): Measure => ({
    what: `WebDAV: PROPFIND of ${entries.toLocaleString("en")}`,
    show: duration,
    run: ({ dav }) => dav && (() => propfind(dav.url(`of-${entries}/`), dav.headers)),
  });
  return [
    listing(1_000),
    {
      what: "WebDAV: PUT of 1 KiB, 5 at once",
      show: rate,
      run: ({ dav }) => dav && (() => small("PUT", dav.url, dav.headers)),
    },
    {
      what: "the same by the server's own calls",
      show: rate,
      run: ({ upload: { method, url }, headers }) => () => small(method, url, headers),
    },
    listing(10_000),
    {
      what: `WebDAV: GET of ${bigSize >= 2 ** 30 ? `${bigSize / 2 ** 30} GiB` : "the large file"}`,
      show: duration,
      run: ({ dav }) => dav && (() => fetchAll(dav.headers, dav.url(bigFile))),
    },
  ];
}

/**
 * Waits until the servers have finished what earlier calls left them, and until the disk has it, so
 * that no call is measured beside others. Quantum works for ten seconds and more on small uploads
 * that wrk has given up, and the kernel writes files half a minute after a server has made them.
 */
async function settle(servers: readonly PeerServer[]): Promise<void> {
  await runQuietly("sync");
  const end = performance.now() + 60_000;
  const used = () => servers.map((server) => server.processorTime());
  for (let before = used(); performance.now() < end;) {
    await new Promise((resolve) => setTimeout(resolve, 100));
    const after = used();
    // A fifth of a processor: timers and collections of a server at rest.
    if (after.every((time, place) => time - (before[place] ?? 0) <= 20)) return;
    before = after;
  }
}

/** The servers take turns, so that a slow spell of the machine falls on all. */
async function lineOf(
  { what, show, run: workOf }: Measure,
  servers: readonly PeerServer[],
  rounds: number,
): Promise<Line> {
  const contenders = servers.flatMap((server) => {
    const work = workOf(server);
    const { name, warmUps } = server;
    if (!work) return [];
    const run = async () => {
      await settle(servers);
      return await work();
    };
    return [{ name: `${what}, ${name}`, server, warmUps, run }];
  });
  const results = await race(contenders, rounds);
  const values = servers.map((server) =>
    results[contenders.findIndex((each) => each.server === server)]
  );
  return { what, show, values };
}

function sendFile(
  method: string,
  url: string,
  headers: readonly string[],
  file: string,
): Promise<number> {
  return secondsOf(() =>
    runQuietly("curl", ...requestArgs({ method, url }, headers), "--upload-file", file)
  );
}

/** An upload by tus, one step after the other, over one connection. */
async function sendBySteps(url: string, session: readonly string[], path: string): Promise<number> {
  const headers = new Headers(session.map((line) => line.split(": ", 2) as [string, string]));
  const { size } = await Deno.stat(path);
  using file = await Deno.open(path);
  const step = new Uint8Array(tusStep);
  headers.set("tus-resumable", "1.0.0");
  return await secondsOf(async () => {
    const begun = new Headers(headers);
    begun.set("upload-length", String(size));
    await expectOk(await fetch(url, { method: "POST", headers: begun }));
    headers.set("content-type", "application/offset+octet-stream");
    for (let offset = 0; offset < size;) {
      const length = await file.read(step) ?? 0;
      headers.set("upload-offset", String(offset));
      const body = step.subarray(0, length);
      await expectOk(await fetch(url, { method: "PATCH", headers, body }));
      offset += length;
    }
  });
}

async function expectOk(answer: Response): Promise<void> {
  const text = await answer.text();
  if (!answer.ok) throw new Error(`Cannot trust the measure: ${answer.status} ${text}`);
}

function propfind(url: string, headers: readonly string[]): Promise<number> {
  const request = { method: "PROPFIND", url, headers: ["Depth: 1"] };
  const told = ["--write-out", "%{time_total}"];
  return run("curl", ...requestArgs(request, headers), ...told).then(Number);
}

/** Names that were given out, in all measures. */
let sentNames = 0;

/** What makes names that no server has yet, and sends many small files to such names. */
function senders(folder: string) {
  const sent = () => `uploads/peers-${sentNames++}`;
  const small = async (
    method: string,
    url: (path: string) => string,
    headers: readonly string[],
  ): Promise<number> => {
    const script = join(folder, "uploads.lua");
    const target = new URL(url(`${sent()}-NUMBER.txt`));
    await Deno.writeTextFile(script, uploadScript(method, target));
    return await wrkRate(target.origin, headers, 5, ["--script", script]);
  };
  return { sent, small };
}

/** New files by wrk, which takes little of the processor; each name is used once. */
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

/** One request again and again, four at once. */
async function requestRate(
  { method = "GET", url, headers = [], body }: PeerRequest,
  folder: string,
): Promise<number> {
  const script = join(folder, "request.lua");
  const lines = [`wrk.method = "${method}"`];
  if (body !== undefined) lines.push(`wrk.body = ${JSON.stringify(body)}`);
  await Deno.writeTextFile(script, lines.join("\n"));
  return await wrkRate(url, headers, 4, ["--script", script]);
}
