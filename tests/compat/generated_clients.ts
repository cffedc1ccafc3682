/**
 * What clients that were generated from the OpenAPI document do: calls on nested names with blanks
 * and umlauts, and a sign that would begin a fragment. Each is a program whose one argument is
 * {@linkcode Task} as JSON, and that prints what the calls gave, by their names.
 */
import assert from "node:assert/strict";
import { join } from "node:path";
import { startApp } from "../support/server/app.ts";

/** What such a program is given. */
interface Task {
  url: string;
  token: string;
  /** A folder, and in it a folder to make. */
  folder: string;
  made: string;
  /** A file below a folder of the folder, and its path in the folder. */
  file: string;
  below: string;
  /** A part of the file's name. */
  sought: string;
}

const folder = "Bücher & Töne";
const [deep, name] = ["deep er", "日本 #1.txt"];
const below = `${deep}/${name}`;
const made = `${folder}/new ü`;

const tree = { [folder]: { "a b.txt": "ä", [deep]: { [name]: "needle" } } };

/** What each call gives. */
const expected = {
  /** The size of the file. */
  describe: 6,
  /** The names in the folder. */
  list: [deep, "a b.txt"],
  /** The content of the file. */
  read: "needle",
  /** The status of the new folder, of `x y.txt` sent and saved in it, and of a copy, `z.txt`. */
  make: 200,
  upload: 200,
  save: 200,
  copy: 200,
  /** Whether the file's name is found in the folder. */
  search: true,
  /** Whether the disk has a size, and the status of the folder's size. */
  usage: true,
  size: 200,
  /** The path of a share of the folder, the number of its shares, the file by the share. */
  share: `/${folder}`,
  shares: 1,
  visit: "needle",
  /** The status of `x y.txt`, deleted. */
  remove: 200,
  /** The status and the code of the description of `../` and the file. */
  refuse: [400, "invalid_path"],
};

/** Starts a server with the entries of the calls. */
export async function startServed() {
  const app = await startApp({ inProcess: true, tree });
  const { url } = app.listen();
  const token = await app.tokenOf("admin");
  const task: Task = {
    url,
    token,
    folder,
    made,
    file: `${folder}/${below}`,
    below,
    sought: "日本",
  };
  return {
    close: app.close,
    document: async () => await (await fetch(`${url}/api/openapi.json`)).text(),
    task: JSON.stringify(task),
    /** Compares what a program has printed, and what it has left on the disk. */
    assertDone(printed: string): void {
      assert.deepEqual(JSON.parse(printed), expected);
      const place = join(app.root, made);
      assert.deepEqual([...Deno.readDirSync(place)].map(({ name }) => name), ["z.txt"]);
      assert.equal(Deno.readTextFileSync(join(place, "z.txt")), "needle");
    },
    /** The number of calls of a program. */
    calls: Object.keys(expected).length,
  };
}

/** Runs a program in a folder. @returns what it has printed */
export async function run(
  cwd: string,
  program: string,
  args: string[],
  env: Record<string, string> = {},
): Promise<string> {
  const { success, stdout, stderr } = await new Deno.Command(program, { args, cwd, env }).output();
  assert.ok(success, new TextDecoder().decode(stderr));
  return new TextDecoder().decode(stdout);
}
