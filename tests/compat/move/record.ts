/**
 * Has File Browser make the rich installation, and records what it answers about it:
 * `deno run -A tests/compat/move/record.ts /path/to/filebrowser`. It needs no network.
 */
import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { temporaryFolder } from "../../support/disks/files.ts";
import {
  admin,
  fixture,
  hooks,
  otherMethods,
  plantInstallation,
  rules,
  settings,
  shares,
  users,
} from "./installation.ts";
import { observe, signIn, tokenOfShare } from "./observe.ts";

const [program] = Deno.args;
if (program === undefined) {
  console.error("Cannot record the installation: give the path of File Browser's program");
  Deno.exit(2);
}
await using folder = await temporaryFolder();
const root = join(folder.path, "root");
await Deno.mkdir(root);
await plantInstallation(root);
await Deno.writeTextFile(join(root, "gone.txt"), "shared, and gone since");
const database = join(folder.path, "filebrowser.db");
const say = (...words: string[]) => run([...words.slice(0, 2), "-d", database, ...words.slice(2)]);

for (const method of ["proxy", "hook", "noauth"] as const) {
  await say("config", "init", ...otherMethods[method]);
  await say("users", "add", "--perm.admin", admin.username, admin.password);
  await say("users", "add", "anna", admin.password);
  await write(method);
  await Deno.remove(database);
}

await say("config", "init", "--root", root, ...settings);
await say("users", "add", "--perm.admin", "--scope", "/", admin.username, admin.password);
for (const { username, password = "", flags = [] } of users) {
  await say("users", "add", ...flags, "--", username, password);
}
const hashes: Record<string, string> = {};
const tokens: Record<string, string> = {};
await whileServed(async (url) => {
  for (const { name, owner, path, password = "", lasts = "" } of shares) {
    hashes[name] = await share(url, owner, { path, password, lasts });
    if (password) tokens[name] = await tokenOfShare(url, hashes[name] ?? "", password);
  }
});
for (const rule of rules) await say("rules", "add", ...rule);
for (const { username, rules = [] } of users) {
  for (const rule of rules) await say("rules", "add", "-u", username, ...rule);
}
for (const hook of hooks) await say("cmds", "add", ...hook);
await say("users", "update", "former sharer", "--perm.share=false");
await say("users", "rm", "leaver");
await Deno.remove(join(root, "gone.txt"));

await write("rich");
await whileServed(async (url) => {
  const version = /v(\d+\.\d+\.\d+)/.exec(await run(["version"]))?.[1] ?? "";
  const answers = { version, hashes, tokens, ...await observe(url, { hashes, tokens }) };
  await Deno.writeTextFile(fixture("rich", "answers.json"), `${JSON.stringify(answers)}\n`);
  console.log(`${users.length} users and ${answers.links.length} links of File Browser ${version}`);
});
/** Keeps the database, and what File Browser exports of it. */
async function write(installation: Parameters<typeof fixture>[0]): Promise<void> {
  const file = (name: string) => fixture(installation, name);
  await Deno.mkdir(dirname(file("users.json")), { recursive: true });
  await say("users", "export", file("users.json"));
  await say("config", "export", file("config.json"));
  await Deno.copyFile(database, file("filebrowser.db"));
}

/** Runs a command. @returns what it printed */
async function run(words: string[]): Promise<string> {
  const { success, stdout, stderr } = await new Deno.Command(program ?? "", {
    args: words,
    cwd: folder.path,
    env: { TZ: "UTC", HOME: folder.path },
  }).output();
  const decoder = new TextDecoder();
  assert.ok(success, `${words.join(" ")}\n${decoder.decode(stderr)}`);
  return decoder.decode(stdout);
}

async function whileServed(look: (url: string) => Promise<void>): Promise<void> {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = listener.addr;
  listener.close();
  const child = new Deno.Command(program ?? "", {
    args: ["-d", database, "--address", "127.0.0.1", "--port", String(port), "--root", root],
    cwd: folder.path,
    env: { TZ: "UTC", HOME: folder.path },
    stdout: "null",
    stderr: "null",
  }).spawn();
  try {
    const url = `http://127.0.0.1:${port}/files`;
    while (!await fetch(`${url}/health`).then((answer) => answer.text(), () => null)) {
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    await look(url);
  } finally {
    child.kill("SIGTERM");
    await child.status;
  }
}

async function share(
  url: string,
  owner: string,
  { path, password, lasts }: { path: string; password: string; lasts: string },
): Promise<string> {
  const known = [admin, ...users].find(({ username }) => username === owner);
  const token = await signIn(url, owner, known?.password ?? "");
  const [expires = "", unit = ""] = lasts.split(" ");
  const answer = await fetch(`${url}/api/share${encodeURI(path).replaceAll("?", "%3F")}`, {
    method: "POST",
    headers: { "x-auth": token },
    body: JSON.stringify({ password, expires, unit }),
  });
  const text = await answer.text();
  assert.equal(answer.status, 200, `${owner} ${path}: ${text}`);
  return JSON.parse(text).hash;
}
