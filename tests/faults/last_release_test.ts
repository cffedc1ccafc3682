/** The last release, from the history of the repository, on a store of this version. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { migrations } from "../../lib/server/core/kv/schema.ts";
import { temporaryFolder } from "../support/disks/files.ts";
import recorded from "../support/records/last_release.json" with { type: "json" };

const top = new URL("../..", import.meta.url).pathname;
const password = "a fox sleeps under 9 stars";

/** Ends a program that waits for ever. It is longer than a refusal takes on a busy machine. */
const limitMs = 60_000;

async function git(...args: string[]) {
  const { success, stdout } = await new Deno.Command("git", {
    args: ["-C", top, ...args],
    stderr: "null",
  }).output();
  return { success, stdout };
}

/** The newest tag of a version, or the recorded commit; null in a clone without that history. */
async function findRelease(): Promise<string | null> {
  const tag = await git("describe", "--tags", "--abbrev=0", "--match", "v[0-9]*", "HEAD~1");
  const commit = tag.success ? new TextDecoder().decode(tag.stdout).trim() : recorded.commit;
  return (await git("cat-file", "-e", `${commit}^{commit}`)).success ? commit : null;
}

/** Writes the files of a commit into a folder, with the packages of this version. */
async function unpack(commit: string, folder: string): Promise<void> {
  const { stdout, success } = await git("archive", commit, "lib", "locales", "deno.json");
  assert.ok(success);
  const tar = new Deno.Command("tar", { args: ["-x", "-C", folder], stdin: "piped" }).spawn();
  const writer = tar.stdin.getWriter();
  await writer.write(stdout);
  await writer.close();
  assert.ok((await tar.status).success);
  // It runs with the packages that are installed, of which some are newer than those it named.
  const [former, current] = [folder, top].map((place) =>
    JSON.parse(Deno.readTextFileSync(join(place, "deno.json")))
  );
  const imports = { ...former.imports, ...current.imports };
  Deno.writeTextFileSync(join(folder, "deno.json"), JSON.stringify({ ...former, imports }));
  await Deno.symlink(join(top, "node_modules"), join(folder, "node_modules"));
}

async function run(program: string, module: string, ...args: string[]) {
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--cached-only", "--no-lock", join(program, module), ...args],
    cwd: program,
    env: { NO_COLOR: "1", ...program === top ? {} : { DENO_DIR: join(program, ".deno") } },
    signal: AbortSignal.timeout(limitMs),
  }).output();
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes).trimEnd();
  return { code, stdout: text(stdout), stderr: text(stderr) };
}

const release = await findRelease();
const cubby = "lib/server/cli/cubby.ts";
const start = "lib/server/boot/launch.ts";

Deno.test({
  name:
    "the last release refuses a store of this version, in every program, and leaves it as it is",
  // A clone without its history, as some build servers make, has no former release.
  ignore: release === null,
  async fn() {
    await using folder = await temporaryFolder();
    const at = (name: string) => join(folder.path, name);
    const [former, database, root] = [at("former"), at("cubby.kv"), at("root")];
    for (const made of [former, root]) await Deno.mkdir(made);
    await unpack(release ?? "", former);
    const { migrations: known } = await import(`file://${former}/lib/server/kv/schema.ts`);
    assert.ok(known.length <= migrations.length);

    const places = ["--database", database, "--root", root];
    for (const args of [["users", "add", "anna", password], ["backup", at("copy.kv")]]) {
      const { code, stderr } = await run(top, cubby, ...args, ...places);
      assert.equal(code, 0, stderr);
    }
    const bytes = await Deno.readFile(database);
    const programs: [module: string, args: string[]][] = [
      [start, ["--port", "0", ...places]],
      [cubby, ["users", "ls", ...places]],
      [cubby, ["config", "cat", ...places]],
      [cubby, ["doctor", ...places]],
      [cubby, ["backup", at("by-former.kv"), ...places]],
      [cubby, ["restore", at("copy.kv"), "--database", at("restored.kv"), "--root", root]],
    ];
    // A release with the schema of this version reads the store; only its server would serve.
    const isReader = known.length === migrations.length;
    for (const [module, args] of programs.slice(isReader ? 1 : 0)) {
      const { code, stdout, stderr } = await run(former, module, ...args);
      const what = `${args[0]}: ${stdout} ${stderr}`;
      assert.equal(code, isReader ? 0 : 2, what);
      if (isReader) continue;
      assert.equal(stdout, "", what);
      assert.match(
        stderr,
        /^Cannot [^\n]+: its schema is version \d+, this program knows \d+[^\n]*$/,
        what,
      );
    }
    assert.deepEqual(await Deno.readFile(database), bytes);
    const left = [...Deno.readDirSync(folder.path)].map(({ name }) => name);
    assert.ok(
      isReader || !left.includes("by-former.kv") && !left.includes("restored.kv"),
      `${left}`,
    );
  },
});

Deno.test("the recorded release is not newer than this version", () => {
  assert.ok(recorded.schema <= migrations.length);
});
