import { join } from "node:path";
import { curl, runQuietly } from "../commands.ts";
import { type Contender, median, race, secondsOf } from "../race.ts";
import { measureSearchPage } from "./search_page.ts";
import type { Setup, Target } from "../set_up.ts";
import { atMost, duration, type Row } from "../table.ts";

/** Files of the tree; folders hold ten each, or a hundred. */
const wholeCount = 200_000;
const quickCount = 10_000;

/** A few names in each tree have it. */
const needle = "9999";

/** Searches against `find -iname`, the first hit, and large listings while searches go on. */
export async function measureSearch(setup: Setup): Promise<Row[]> {
  const count = setup.rounds > 1 ? wholeCount : quickCount;
  const rows: Row[] = [];
  for (const perFolder of [10, 100]) {
    const name = `search-${perFolder}`;
    plantTree(join(setup.root, name), count / perFolder, perFolder);
    rows.push(await whole(setup, name, count, perFolder));
  }
  rows.push(
    await firstHit(setup, "search-10", count),
    await allHits(setup, "search-10", count),
    await listingMeanwhile(setup, "search-10"),
    ...await measureSearchPage(setup, "search-10", count),
  );
  return rows;
}

async function whole(
  { one, root, rounds }: Setup,
  name: string,
  count: number,
  perFolder: number,
): Promise<Row> {
  const url = `${one.server.url}/api/search/${name}/?query=${needle}`;
  const find = [join(root, name), "-iname", `*${needle}*`];
  const contenders: Contender[] = [
    { name, run: () => curl(url, "--header", `X-Auth: ${one.token}`) },
    { name: "find", run: () => secondsOf(() => runQuietly("find", ...find)) },
  ];
  const [ours = NaN, theirs = NaN] = await race(contenders, rounds);
  return {
    what: `search among ${count.toLocaleString("en")} files, ${perFolder} a folder`,
    cubby: duration(ours),
    against: `\`find -iname\` ${duration(theirs)}`,
    ratio: ours / theirs,
    target: atMost(ours / theirs, 1.2, "1.2x"),
  };
}

/** Until the first line is there of a search in which nearly every name fits. */
async function firstHit({ one, rounds }: Setup, name: string, count: number): Promise<Row> {
  const run = async () => {
    const start = performance.now();
    const answer = await linesOf(one, name, "holiday");
    const reader = answer.body?.getReader();
    await reader?.read();
    const took = (performance.now() - start) / 1000;
    await reader?.cancel();
    return took;
  };
  const [first = NaN] = await race([{ name: "first hit", run }], rounds);
  return {
    what: `the first hit among ${count.toLocaleString("en")} files`,
    cubby: duration(first),
    target: atMost(first, 0.03, "30 ms"),
  };
}

/** All hits of such a search, with their size and time, against their names alone. */
async function allHits({ one, rounds }: Setup, name: string, count: number): Promise<Row> {
  const run = (details: boolean) =>
    secondsOf(async () => {
      const answer = await linesOf(one, name, "holiday", details);
      await answer.body?.pipeTo(new WritableStream());
    });
  const [detailed = NaN, named = NaN] = await race([
    { name: "details", run: () => run(true) },
    { name: "names", run: () => run(false) },
  ], rounds);
  return {
    what: `all ${count.toLocaleString("en")} hits, with size and time`,
    cubby: duration(detailed),
    against: `names alone ${duration(named)}`,
    ratio: detailed / named,
  };
}

/** A listing that the same Worker makes while four searches go on, and while none does. */
async function listingMeanwhile({ one, folders, rounds }: Setup, name: string): Promise<Row> {
  const large = folders.find((count) => count >= 10_000) ?? 10_000;
  const header = ["--header", `X-Auth: ${one.token}`];
  const list = () => curl(`${one.server.url}/api/resources/of-${large}/`, ...header);
  const rest: number[] = [];
  const busy: number[] = [];
  for (let round = 0; round <= rounds; round++) {
    rest.push(await list());
    const searches = Array.from({ length: 4 }, async () => {
      await (await linesOf(one, name, "nothing like it")).text();
    });
    busy.push(await list());
    await Promise.all(searches);
  }
  const [atRest, meanwhile] = [median(rest.slice(1)), median(busy.slice(1))];
  return {
    what: `listing of ${large.toLocaleString("en")} during 4 searches`,
    cubby: duration(meanwhile),
    against: `at rest ${duration(atRest)}`,
    ratio: meanwhile / atRest,
  };
}

function linesOf(
  { server, token }: Target,
  name: string,
  query: string,
  details = false,
): Promise<Response> {
  const headers = { "x-auth": token, "accept": "application/x-ndjson" };
  const url = `${server.url}/api/search/${name}/?query=${
    encodeURIComponent(query)
  }&details=${details}`;
  return fetch(url, { headers });
}

/** Folders in folders, eight in each, with empty files of several kinds. */
export function plantTree(root: string, folders: number, perFolder: number): void {
  const kinds = [".jpg", ".txt", ".tar.gz", ".PDF"];
  const paths = [root];
  Deno.mkdirSync(root);
  for (let index = 0; index < folders; index++) {
    const folder = index === 0 ? root : join(
      paths[Math.floor((index - 1) / 8)] ?? root,
      `folder ${index} of it`,
    );
    if (index > 0) Deno.mkdirSync(folder);
    paths[index] = folder;
    for (let file = 0; file < perFolder; file++) {
      const number = ((index * perFolder + file) * 7919) % 1_000_003;
      Deno.createSync(join(folder, `${number} holiday picture${kinds[file % 4]}`)).close();
    }
  }
}
