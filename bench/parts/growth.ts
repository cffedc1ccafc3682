import { join } from "node:path";
import { fetchAll } from "../commands.ts";
import { type PeerServer, peersHere, startPeer } from "../peer_servers.ts";
import { median } from "../race.ts";
import { wrkRate } from "./requests.ts";
import { fillFolder, type Setup } from "../set_up.ts";
import { drawPlots, type Plot, type Series } from "../svg_plot.ts";
import { duration, markdown, rate, type Row } from "../table.ts";

/** A server that took this long for one size is not asked for the next, in seconds. */
const patience = 20;

/** Above this number of entries each is measured once. */
const maxRepeated = 100_000;

const clients = [1, 8, 64, 256];

/** What a server did with so many entries, or for so many clients. */
interface Point {
  server: string;
  x: number;
  listing: number;
  search: number | undefined;
  memory: number;
}

type Load = Pick<Point, "server" | "x" | "memory"> & { requests: number };

/**
 * Time and memory of Cubby and its peers as folders grow to a million entries, and as clients grow
 * to 256. Prints the figures, and draws them in `bench/growth.svg`. Each server runs alone, anew.
 */
export async function measureGrowth({ root, folders, rounds }: Setup): Promise<Row[]> {
  const isQuick = rounds === 1;
  const sizes = isQuick ? [1_000, 10_000] : [1_000, 10_000, 100_000, 1_000_000];
  for (const size of sizes) if (!folders.includes(size)) fillFolder(join(root, `of-${size}`), size);

  const folder = await Deno.makeTempDir({ prefix: "cubby-growth-" });
  const points: Point[] = [];
  const loads: Load[] = [];
  try {
    for (const peer of peersHere()) {
      {
        await using server = await startPeer(peer, root, folder);
        points.push(...await growEntries(server, sizes, isQuick ? 1 : 3));
      }
      await using server = await startPeer(peer, root, folder);
      loads.push(...await growClients(server));
    }
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
  print(points, loads);
  const names = [...new Set(points.map(({ server }) => server))];
  const svg = drawPlots(plotsOf(points, loads, names, sizes), names, caption);
  const file = new URL(isQuick ? "../../_fresh/growth.svg" : "../growth.svg", import.meta.url);
  await Deno.writeTextFile(file, svg);
  return [];
}

const caption = "Time and memory of file managers over entries of a folder and over clients";

async function growEntries(
  server: PeerServer,
  sizes: readonly number[],
  rounds: number,
): Promise<Point[]> {
  const points: Point[] = [];
  const times = async (url: string, size: number) => {
    const taken: number[] = [];
    for (let round = 0; round < (size > maxRepeated ? 1 : rounds); round++) {
      taken.push(await fetchAll(server.headers, url));
    }
    return median(taken);
  };
  for (const x of sizes) {
    const listing = await times(server.list(`of-${x}`), x);
    const search = server.search && await times(server.search(`of-${x}`, "9999"), x);
    points.push({ server: server.name, x, listing, search, memory: server.memory() });
    if (Math.max(listing, search ?? 0) > patience) break;
  }
  return points;
}

async function growClients(server: PeerServer): Promise<Load[]> {
  const loads: Load[] = [];
  for (const x of clients) {
    const requests = await wrkRate(server.list("of-50"), server.headers, x);
    loads.push({ server: server.name, x, requests, memory: server.memory() });
  }
  return loads;
}

function plotsOf(
  points: readonly Point[],
  loads: readonly Load[],
  names: readonly string[],
  sizes: readonly number[],
): Plot[] {
  const entryTicks = sizes.map((size) => [size, short(size)] as const);
  const clientTicks = clients.map((count) => [count, String(count)] as const);
  const series = <P extends { server: string; x: number }>(
    all: readonly P[],
    value: (point: P) => number | undefined,
  ): Series[] =>
    names.map((name) => ({
      name,
      points: all.filter(({ server }) => server === name).flatMap((point) => {
        const y = value(point);
        return y === undefined ? [] : [[point.x, y] as const];
      }),
    })).filter(({ points }) => points.length > 0);
  const megabytes = (value: number) => `${value} MB`;
  const entries = { ticks: entryTicks, show: duration };
  return [
    {
      ...entries,
      title: "Listing a folder of so many entries",
      series: series(points, (point) => point.listing),
    },
    {
      ...entries,
      title: "Search in a folder of so many entries",
      series: series(points, (point) => point.search),
    },
    {
      ticks: entryTicks,
      show: megabytes,
      title: "Memory after that (PSS)",
      series: series(points, ({ memory }) => memory),
    },
    {
      ticks: clientTicks,
      show: rate,
      title: "Listings of 50 entries, by so many clients",
      series: series(loads, ({ requests }) => requests),
    },
    {
      ticks: clientTicks,
      show: megabytes,
      title: "Memory after that (PSS)",
      series: series(loads, ({ memory }) => memory),
    },
  ];
}

function print(points: readonly Point[], loads: readonly Load[]): void {
  const megabytes = (value: number) => `${value.toFixed(0)} MB`;
  console.log(markdown(
    ["entries", "server", "listing", "search", "memory (PSS)"],
    points.map(({ x, server, listing, search, memory }) => [
      x.toLocaleString("en"),
      server,
      duration(listing),
      search === undefined ? "-" : duration(search),
      megabytes(memory),
    ]),
  ));
  console.log(markdown(
    ["clients", "server", "listings of 50", "memory (PSS)"],
    loads.map(({ x, server, requests, memory }) => [
      String(x),
      server,
      rate(requests),
      megabytes(memory),
    ]),
  ));
}

function short(count: number): string {
  return count >= 1_000_000 ? `${count / 1_000_000} M` : `${count / 1_000} k`;
}
