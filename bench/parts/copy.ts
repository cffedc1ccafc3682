import { join } from "node:path";
import { plantMany } from "../../tests/support/disks/files.ts";
import { curl, runQuietly } from "../commands.ts";
import { race, secondsOf } from "../race.ts";
import { bigFile, type Setup, type Target } from "../set_up.ts";
import { atMost, duration, type Row } from "../table.ts";

const folderCount = 100;
const filesEach = 100;

/**
 * Copies inside the root against `cp -a`: many small files, and one big one, which we sync when it
 * replaces a file. Each copy is a new one: what was just deleted slows the next down on ext4.
 */
export async function measureCopy(setup: Setup): Promise<Row[]> {
  const { root } = setup;
  const tree = "copied";
  for (let number = 0; number < folderCount; number++) {
    const folder = join(root, tree, `folder ${number}`);
    await Deno.mkdir(folder, { recursive: true });
    plantMany(folder, filesEach);
  }
  const count = (folderCount * filesEach).toLocaleString("en");
  const size = `${setup.bigSize / 2 ** 20} MiB`;
  return [
    await measure(setup, tree, `copy of ${count} files`, 2),
    await measure(setup, bigFile, `copy of ${size}`),
    await measureMove(setup, tree, `move of a folder with ${count} files`),
  ];
}

async function measure(setup: Setup, from: string, what: string, limit?: number): Promise<Row> {
  const { one, root, rounds } = setup;
  const turn = { number: 0 };
  const nextName = () => `${from}-copy-${turn.number++}`;
  const [ours = NaN, theirs = NaN] = await race([
    { name: what, run: () => transfer(one, "copy", from, nextName()) },
    {
      name: "cp -a",
      run: () => secondsOf(() => runQuietly("cp", "-a", join(root, from), join(root, nextName()))),
    },
  ], rounds);
  for (let number = 0; number < turn.number; number++) {
    await Deno.remove(join(root, `${from}-copy-${number}`), { recursive: true });
  }
  const ratio = ours / theirs;
  return {
    what,
    cubby: duration(ours),
    against: `\`cp -a\` ${duration(theirs)}`,
    ratio,
    target: limit === undefined ? undefined : atMost(ratio, limit, `${limit}x`),
  };
}

/** All that is below is looked through before it is moved. */
async function measureMove({ one, rounds }: Setup, from: string, what: string): Promise<Row> {
  const names = [from, `${from} elsewhere`];
  const [ours = NaN] = await race([{
    name: what,
    async run() {
      const [now = "", next = ""] = names;
      names.reverse();
      return await transfer(one, "rename", now, next);
    },
  }], rounds);
  return { what, cubby: duration(ours) };
}

function transfer(
  { server, token }: Target,
  action: "copy" | "rename",
  from: string,
  to: string,
): Promise<number> {
  const path = `${server.url}/api/resources/${encodeURIComponent(from)}`;
  const query = `action=${action}&destination=${encodeURIComponent(`/${to}`)}`;
  return curl(`${path}?${query}`, "--request", "PATCH", "--header", `X-Auth: ${token}`);
}
