import { join } from "node:path";
import { fetchAll } from "../commands.ts";
import { type Figure, type Growing, keepFigures, printFigures } from "../growth_figures.ts";
import { type PeerServer, peersHere, startPeer } from "../peer_servers.ts";
import { median } from "../race.ts";
import { wrkRate } from "./requests.ts";
import { fillFolder, type Setup } from "../set_up.ts";
import type { Row } from "../table.ts";

/** A server that took this long for one size is not asked for the next, in seconds. */
const patience = 20;

/** What takes this long is measured once, in seconds. */
const maxRepeated = 3;

const clients = [1, 8, 64, 256];

/**
 * Time and memory of Cubby and its peers as a folder grows to a million entries. Each server runs
 * alone, anew.
 */
export async function measureEntries({ root, folders, rounds }: Setup): Promise<Row[]> {
  const isQuick = rounds === 1;
  const sizes = isQuick ? [1_000, 10_000] : [1_000, 10_000, 100_000, 1_000_000];
  for (const size of sizes) if (!folders.includes(size)) fillFolder(join(root, `of-${size}`), size);
  return await measureServers(root, isQuick, "entries", async (server) => {
    const figures: Figure[] = [];
    const times = async (url: string) => {
      const taken = [await fetchAll(server.headers, url)];
      while (taken.length < rounds && median(taken) < maxRepeated) {
        taken.push(await fetchAll(server.headers, url));
      }
      return median(taken);
    };
    for (const x of sizes) {
      const listing = await times(server.list(`of-${x}`));
      const search = server.search && await times(server.search(`of-${x}`, "9999"));
      const of = { over: "entries", line: server.name, x } as const;
      figures.push({ ...of, what: "listing", y: listing });
      if (search !== undefined) figures.push({ ...of, what: "search", y: search });
      figures.push({ ...of, what: "memory", y: server.memory() });
      if (Math.max(listing, search ?? 0) > patience) break;
    }
    return figures;
  });
}

/** Listings a second, and memory, of Cubby and its peers as clients grow to 256. */
export async function measureClients({ root, rounds }: Setup): Promise<Row[]> {
  return await measureServers(root, rounds === 1, "clients", async (server) => {
    const figures: Figure[] = [];
    for (const x of clients) {
      const of = { over: "clients", line: server.name, x } as const;
      const y = await wrkRate(server.list("of-50"), server.headers, x);
      figures.push({ ...of, what: "rate", y }, { ...of, what: "memory", y: server.memory() });
    }
    return figures;
  });
}

async function measureServers(
  root: string,
  isQuick: boolean,
  over: Growing,
  measure: (server: PeerServer) => Promise<Figure[]>,
): Promise<Row[]> {
  const folder = await Deno.makeTempDir({ prefix: "cubby-growth-" });
  try {
    for (const peer of peersHere()) {
      await using server = await startPeer(peer, root, folder);
      await keepFigures(await measure(server), isQuick);
    }
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
  await printFigures(over, isQuick);
  return [];
}
