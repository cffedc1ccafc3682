import { join } from "node:path";
import { curl, runQuietly } from "../commands.ts";
import { race, secondsOf } from "../race.ts";
import { bigFile, type Setup } from "../set_up.ts";
import { atMost, duration, type Row } from "../table.ts";

const algorithms = ["md5", "sha1", "sha256", "sha512"];

/** Digests of one big file, against the system's own programs. */
export async function measureChecksum(setup: Setup): Promise<Row[]> {
  const rows: Row[] = [];
  for (const algorithm of algorithms) rows.push(await checksum(setup, algorithm));
  return rows;
}

async function checksum(
  { one, root, rounds, bigSize }: Setup,
  algorithm: string,
): Promise<Row> {
  const url = `${one.server.url}/api/resources/${bigFile}?checksum=${algorithm}`;
  const program = `${algorithm}sum`;
  const [ours = NaN, theirs = NaN] = await race([
    { name: algorithm, run: () => curl(url, "--header", `X-Auth: ${one.token}`) },
    { name: program, run: () => secondsOf(() => runQuietly(program, join(root, bigFile))) },
  ], rounds);
  const ratio = ours / theirs;
  return {
    what: `${algorithm} of ${bigSize / 2 ** 20} MiB`,
    cubby: duration(ours),
    against: `\`${program}\` ${duration(theirs)}`,
    ratio,
    target: atMost(ratio, 1.3, "1.3x"),
  };
}
