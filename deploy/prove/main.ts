/**
 * `deno run -A deploy/prove/main.ts BASE`: carries the steps of deploy/Dockerfile out where there is
 * no container engine, and runs what they make as the image would be run: as its user, with a root
 * file system that is read-only, no capabilities, its two volumes and a /tmp in memory.
 *
 * BASE is a plain Debian (`debootstrap --variant=minbase bookworm BASE`), which stands for both base
 * images; Node comes from this machine. It needs root, and prints what held, one a line.
 */
import assert from "node:assert/strict";
import { dirname, join, resolve } from "node:path";
import {
  type Instruction,
  isIgnored,
  readCommand,
  readDockerfile,
  readPairs,
} from "./dockerfile.ts";

const top = new URL("../..", import.meta.url).pathname;

/** A stage of the build: a root file system, and what holds for the next steps in it. */
interface Stage {
  root: string;
  user: string;
  folder: string;
  env: Record<string, string>;
  health: string[];
  entry: string[];
}

/** Paths of this machine that steps need to reach the registries as it does. */
const lent = ["/etc/resolv.conf", "/etc/hosts", "/etc/ssl", "/usr/share/ca-certificates"];

const [base, ...rest] = Deno.args;
if (base === undefined || rest.length > 0 || Deno.uid() !== 0) {
  console.error("Usage, as root: deno run -A deploy/prove/main.ts BASE");
  Deno.exit(2);
}
const work = await Deno.makeTempDir({ prefix: "cubby-image-" });
try {
  const image = await build(readDockerfile(Deno.readTextFileSync(join(top, "deploy/Dockerfile"))));
  await tryImage(image);
} finally {
  await call("rm", ["-rf", "--one-file-system", work]);
}

async function build(steps: Instruction[]): Promise<Stage> {
  const stages = new Map<string, Stage>();
  let stage: Stage | undefined;
  for (const { name, text } of steps) {
    if (name === "FROM") {
      const [image = "", , alias = `stage ${stages.size}`] = text.split(/\s+/);
      const from = stages.get(image)?.root ?? resolve(base ?? "");
      stage = await begin(image, from, join(work, String(stages.size)));
      stages.set(alias, stage);
      console.log(`FROM ${text}: a copy of ${stages.has(image) ? image : base}`);
      continue;
    }
    assert.ok(stage, "a Dockerfile begins with FROM");
    const started = performance.now();
    await take({ name, text }, stage, stages);
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    if (name === "RUN" || name === "COPY") console.log(`${name} ${text} (${seconds} s)`);
  }
  assert.ok(stage);
  const { stdout } = await call("du", ["-sm", "--exclude=./proc", join(stage.root, "opt")]);
  console.log(`The program in the image: ${stdout.split("\t")[0]} MiB`);
  return stage;
}

async function begin(image: string, from: string, root: string): Promise<Stage> {
  await call("cp", ["-a", from, root]);
  if (image.startsWith("node:")) await lendNode(root);
  const env = { PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin" };
  return { root, user: "root", folder: "/", env, health: [], entry: [] };
}

/** Node with npm, as the image of Node has them: below /usr/local. */
async function lendNode(root: string): Promise<void> {
  const { stdout } = await call("sh", [
    "-c",
    'readlink -f "$(command -v node)" "$(command -v npm)"',
  ]);
  const [node = "", npm = ""] = stdout.trim().split("\n");
  await call("mkdir", ["-p", join(root, "usr/local/lib")]);
  await call("cp", [node, join(root, "usr/local/bin/node")]);
  await call("cp", ["-a", dirname(dirname(npm)), join(root, "usr/local/lib/npm")]);
  for (const name of ["npm", "npx"]) {
    await call("ln", ["-sf", `../lib/npm/bin/${name}-cli.js`, join(root, "usr/local/bin", name)]);
  }
}

async function take(
  { name, text }: Instruction,
  stage: Stage,
  stages: Map<string, Stage>,
): Promise<void> {
  switch (name) {
    case "RUN":
      return await run(stage, text);
    case "COPY":
      return await copy(stage, text, stages);
    case "WORKDIR":
      stage.folder = text;
      return void await call("mkdir", ["-p", join(stage.root, text)]);
    case "ENV":
    case "ARG":
      return void Object.assign(stage.env, Object.fromEntries(readPairs(text)));
    case "USER":
      return void (stage.user = text);
    case "HEALTHCHECK":
      return void (stage.health = readCommand(text.slice(text.indexOf("CMD"))));
    case "ENTRYPOINT":
      return void (stage.entry = readCommand(text));
    case "LABEL":
      assert.match(text, /org\.opencontainers\.image\.version=/);
      return;
    case "VOLUME":
    case "EXPOSE":
    case "STOPSIGNAL":
      return;
    default:
      throw new Error(`Cannot carry out ${name}: it is not known here`);
  }
}

async function copy(stage: Stage, text: string, stages: Map<string, Stage>): Promise<void> {
  const words = text.split(/\s+/);
  const from = stages.get(/^--from=(.*)$/.exec(words[0] ?? "")?.[1] ?? "");
  if (from) {
    const [, source = "", target = ""] = words;
    await call("mkdir", ["-p", dirname(join(stage.root, target))]);
    // What is a folder in both places is merged.
    await call("cp", ["-aT", join(from.root, source), join(stage.root, target)]);
    return;
  }
  const ignored = Deno.readTextFileSync(join(top, ".dockerignore")).split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"));
  const { stdout } = await call("git", ["-C", top, "ls-files", "-z", "-co", "--exclude-standard"]);
  const paths = stdout.split("\0").filter((path) => path && !isIgnored(path, ignored));
  const target = words.pop() ?? "";
  for (const path of paths) {
    for (const source of words) {
      if (source !== "." && path !== source && !path.startsWith(`${source}/`)) continue;
      const isFolder = source !== "." && path !== source;
      const name = isFolder ? path.slice(source.length + 1) : path;
      const to = resolve(join(stage.root, stage.folder, target, name));
      Deno.mkdirSync(dirname(to), { recursive: true });
      Deno.copyFileSync(join(top, path), to);
      Deno.chmodSync(to, (Deno.statSync(join(top, path)).mode ?? 0o644) & 0o777);
    }
  }
}

async function run(stage: Stage, command: string): Promise<void> {
  const bound = lent.filter(isThere).map((path) =>
    `[ -d ${path} ] && mkdir -p ${stage.root}${path} || touch ${stage.root}${path}; ` +
    `mount --bind ${path} ${stage.root}${path}`
  );
  const script = [
    ...["set -e", "mount --make-rprivate /", `mount --bind ${stage.root} ${stage.root}`],
    ...[`mount -t proc proc ${stage.root}/proc`, `mount --rbind /dev ${stage.root}/dev`, ...bound],
    `exec chroot ${stage.root} /bin/sh -c 'cd "$1" && exec /bin/sh -c "$2"' sh "$1" "$2"`,
  ].join("\n");
  const env = { ...Deno.env.toObject(), ...stage.env, HOME: "/root" };
  await call("unshare", ["--mount", "sh", "-c", script, "sh", stage.folder, command], env);
}

/** Runs the image, and looks at what its account can do. */
async function tryImage(stage: Stage): Promise<void> {
  const volumes = ["srv", "data"].map((name) => join(work, `volume-${name}`));
  for (const path of volumes) {
    await call("cp", ["-a", join(stage.root, path.split("-").at(-1) ?? ""), path]);
  }
  const port = freePort();
  const inside = [
    ...["set -e", "mount --make-rprivate /", `mount --bind ${stage.root} ${stage.root}`],
    `mount -o remount,bind,ro ${stage.root}`,
    ...[`mount -t proc proc ${stage.root}/proc`, `mount --rbind /dev ${stage.root}/dev`],
    `mount -t tmpfs -o mode=1777,size=64m none ${stage.root}/tmp`,
    ...volumes.map((path) => `mount --bind ${path} ${stage.root}/${path.split("-").at(-1)}`),
    `exec chroot ${stage.root} setpriv --reuid ${stage.user} --regid ${stage.user} ` +
    `--clear-groups --no-new-privs --bounding-set=-all --inh-caps=-all sh -c ` +
    `'cd "$1" && shift && exec "$@"' sh "$@"`,
  ].join("\n");
  const env = { ...stage.env, FB_ADDRESS: "127.0.0.1", FB_PORT: String(port), HOME: "/data" };
  const start = (command: string[]) =>
    new Deno.Command("unshare", {
      args: ["--mount", "sh", "-c", inside, "sh", stage.folder, ...command],
      clearEnv: true,
      env,
      ...{ stdin: "null", stdout: "piped", stderr: "piped" },
    });

  const child = start(stage.entry).spawn();
  const output: string[] = [];
  const reading = [child.stdout, child.stderr].map(async (stream) => {
    for await (const text of stream.pipeThrough(new TextDecoderStream())) output.push(text);
  });
  const until = Date.now() + 20_000;
  while (!output.join("").includes("Listening") && Date.now() < until) await pause(50);
  const printed = output.join("");
  assert.match(printed, /Listening on/, printed);
  assert.match(printed, /^Sandbox: (?!no Landlock)/m);
  console.log(`Held: it starts as ${stage.user}: ${/^Sandbox: .*/m.exec(printed)?.[0]}`);

  const touch = await start(["sh", "-c", "id -u; touch /x /opt/x /usr/x 2>&1; :"]).output();
  const said = new TextDecoder().decode(touch.stdout);
  assert.equal(said.match(/Read-only file system/g)?.length, 3, said);
  assert.match(said, /^1000\n/);
  console.log("Held: nothing but the volumes and /tmp can be written, by account 1000");

  const { code, stdout } = await start(stage.health).output();
  assert.equal(code, 0, new TextDecoder().decode(stdout));
  console.log(`Held: the health check says ${new TextDecoder().decode(stdout).trim()}`);
  const password = /has the password (\S+)/.exec(printed)?.[1];
  const login = await fetch(`http://127.0.0.1:${port}/api/login`, {
    method: "POST",
    body: JSON.stringify({ username: "admin", password }),
  });
  assert.equal(login.status, 200, await login.text());
  console.log("Held: admin signs in with the password of the first start");

  child.kill("SIGTERM");
  assert.equal((await child.status).code, 0);
  await Promise.all(reading);
  assert.equal((await start(stage.health).output()).code, 1);
  console.log("Held: SIGTERM ends it in order, and the health check says so");
}

function isThere(path: string): boolean {
  try {
    return Boolean(Deno.statSync(path));
  } catch {
    return false;
  }
}

function freePort(): number {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  return listener.addr.port;
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

async function call(program: string, args: string[], env?: Record<string, string>) {
  const output = await new Deno.Command(program, { args, env, stdin: "null" }).output();
  const decoder = new TextDecoder();
  const [stdout, stderr] = [decoder.decode(output.stdout), decoder.decode(output.stderr)];
  if (!output.success) throw new Error(`${program} ${args.join(" ")}\n${stdout}${stderr}`);
  return { stdout };
}
