import { join } from "node:path";
import { plantBytes } from "../../tests/support/disks/files.ts";
import { curl, has, run, runQuietly } from "../commands.ts";
import { type Contender, race, secondsOf } from "../race.ts";
import type { Setup, Target } from "../set_up.ts";
import { atMost, duration, type Row } from "../table.ts";

const tree = "archived";

/** One kind of archive, and the shell's way to the same. */
interface Kind {
  what: string;
  query: string;
  /** What the table calls the shell's way; a bar would end a cell. */
  name: string;
  /** Programs that must be there. */
  needs: string[];
  /** Run in the root; what it makes goes to its output. */
  script: string;
  limit?: number;
}

const kinds: Kind[] = [
  kind("zip, stored", "algo=zip", "zip -0 -q -r -", 1),
  kind("zip, deflated", "algo=zip&compress=true", "zip -1 -q -r -", 1),
  kind("tar", "algo=tar", "tar -cf -", 2),
  kind("tar.zst", "algo=tar.zst", "tar -cf -", 1.5, "zstd -q -c"),
  kind("tar.gz", "algo=tar.gz", "tar -cf -", undefined, "gzip -1 -c"),
  kind("tar.lz4", "algo=tar.lz4", "tar -cf -", undefined, "lz4 -q -c"),
];

/**
 * A tree of many small files and some large ones, half of which can be made smaller, as archives
 * that are made while they are sent; and how long the first byte of a large folder takes.
 */
export async function measureArchives(setup: Setup): Promise<Row[]> {
  await plantTree(join(setup.root, tree), setup.rounds > 1 ? 500 : 50);
  const rows: Row[] = [];
  for (const each of kinds) {
    if (each.needs.every(has)) rows.push(await whole(setup, each));
  }
  rows.push(await firstByte(setup, setup.folders.at(-1) ?? 0));
  return rows;
}

function kind(what: string, query: string, pack: string, limit?: number, codec?: string): Kind {
  const [packer = ""] = pack.split(" ");
  const needs = codec === undefined ? [packer] : [packer, codec.split(" ")[0] ?? ""];
  const script = `${pack} "${tree}" ${codec === undefined ? "" : `| ${codec} `}| cat > /dev/null`;
  const name = codec === undefined ? `\`${pack}\`` : `\`${pack}\` into \`${codec}\``;
  return { what, name, query, needs, script, limit };
}

async function whole(
  { one, root, rounds }: Setup,
  { what, name, query, script, limit }: Kind,
): Promise<Row> {
  const contenders: Contender[] = [
    { name: what, run: () => download(one, `${tree}?${query}`) },
    {
      name,
      run: () => secondsOf(() => runQuietly("sh", "-c", `cd "$0" && ${script}`, root)),
    },
  ];
  const [ours = NaN, theirs = NaN] = await race(contenders, rounds);
  const ratio = ours / theirs;
  return {
    what: `${what} of ${rounds > 1 ? 500 : 50} MB`,
    cubby: duration(ours),
    against: `${name} ${duration(theirs)}`,
    ratio,
    target: limit === undefined ? undefined : atMost(ratio, limit, `${limit.toFixed(1)}x`),
  };
}

/** The tools hand over their first byte when they like; ours is held against a time. */
async function firstByte({ one, rounds }: Setup, count: number): Promise<Row> {
  const [first = NaN] = await race([{
    name: "first byte",
    async run() {
      const { server, token } = one;
      const url = `${server.url}/api/raw/of-${count}/?algo=zip`;
      const told = ["--silent", "--output", "/dev/null", "--write-out", "%{time_starttransfer}"];
      return Number(await run("curl", ...told, "--header", `X-Auth: ${token}`, url));
    },
  }], rounds);
  return {
    what: `first byte of a zip of ${count.toLocaleString("en")} files`,
    cubby: duration(first),
    target: atMost(first, 0.1, "100 ms"),
  };
}

function download({ server, token }: Target, path: string): Promise<number> {
  return curl(`${server.url}/api/raw/${path}`, "--header", `X-Auth: ${token}`);
}

/** Twenty large files, half of them text, and ten small ones of 8 kB for each megabyte. */
export async function plantTree(folder: string, megabytes: number): Promise<void> {
  const text = new TextEncoder().encode("the quick brown fox jumps over the lazy dog ");
  await Deno.mkdir(folder);
  for (let number = 0; number < 10; number++) {
    const inner = join(folder, `folder ${number}`);
    await Deno.mkdir(inner);
    const size = megabytes * 46_000;
    const readable = textOf(text, size, number);
    await plantBytes(join(inner, "noise.bin"), size);
    await Deno.writeFile(join(inner, "text.txt"), readable);
    for (let file = 0; file < megabytes; file++) {
      const part = readable.subarray(file * 8_000, (file + 1) * 8_000);
      await Deno.writeFile(join(inner, `note ${file}.txt`), part);
    }
  }
}

/** Text whose lines differ, so that it shrinks to a third rather than to nothing. */
function textOf(words: Uint8Array, size: number, seed: number): Uint8Array {
  const bytes = new Uint8Array(size);
  let state = seed + 1;
  for (let at = 0; at < size; at++) {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    bytes[at] = words[state % 7 === 0 ? (state >> 8) % words.length : at % words.length] ?? 32;
  }
  return bytes;
}
