/**
 * Enters the server's Landlock domain with all of Deno's permissions, tries what the arguments say,
 * and prints how each went, as JSON: what the kernel alone holds.
 */
import { confinementOf } from "../../../lib/server/core/sandbox/confinement.ts";
import { enterDomain, landlockFeatures } from "../../../lib/server/core/sandbox/landlock.ts";
import { loadLibc } from "../../../lib/server/core/sandbox/libc.ts";
import { resolveConfig } from "../../../lib/server/core/config/resolve_config.ts";

const [outside = "", port = "0", ...args] = Deno.args;
const { config } = resolveConfig({ args, env: new Map(), cwd: Deno.cwd() });
const libc = loadLibc();
const features = libc && landlockFeatures(libc);
if (!libc || !features) throw new Error("Cannot try: no Landlock");
enterDomain(libc, features, confinementOf(config));

const { root } = config;
const stillOpen: [string, () => unknown][] = [
  ["read below the root", () => Deno.readTextFileSync(`${root}/a.txt`)],
  ["move between folders", () => Deno.renameSync(`${root}/a.txt`, `${root}/folder/a.txt`)],
  ["read the program", () => Deno.readTextFileSync(new URL("../../../main.ts", import.meta.url))],
  ["listen on the port", () => Deno.listen({ hostname: "127.0.0.1", port: config.port }).close()],
];
const shut: [string, () => unknown][] = [
  ["read outside", () => Deno.readTextFileSync(`${outside}/secret.txt`)],
  ["write outside", () => Deno.writeTextFileSync(`${outside}/secret.txt`, "")],
  ["make outside", () => Deno.writeTextFileSync(`${outside}/new.txt`, "")],
  ["remove outside", () => Deno.removeSync(`${outside}/secret.txt`)],
  ["truncate outside", () => Deno.truncateSync(`${outside}/secret.txt`)],
  ["read passwords", () => Deno.readTextFileSync("/etc/shadow")],
  ["read another's environment", () => Deno.readTextFileSync("/proc/1/environ")],
  ["read its own environment", () => Deno.readTextFileSync("/proc/self/environ")],
  [
    "rewrite the program",
    () => Deno.openSync(new URL("../../../main.ts", import.meta.url), { write: true }),
  ],
  ["make beside the store", () => Deno.writeTextFileSync(`${config.database}.txt`, "")],
  ["read through a link out", () => Deno.readTextFileSync(linkTo(`${outside}/secret.txt`))],
  ["write through a link out", () => Deno.writeTextFileSync(linkTo(`${outside}/new.txt`), "")],
  ["list through a link out", () => [...Deno.readDirSync(linkTo(outside))]],
  ["remove through a link out", () => Deno.removeSync(`${linkTo(outside)}/secret.txt`)],
  ["make through a link out", () => Deno.mkdirSync(`${linkTo(outside)}/new`)],
  ["move out through a link", () => Deno.renameSync(`${root}/true`, `${linkTo(outside)}/true`)],
  ["move out", () => Deno.renameSync(`${root}/true`, `${outside}/true`)],
  ["move in", () => Deno.renameSync(`${outside}/secret.txt`, `${root}/stolen.txt`)],
  ["give a second name inside", () => Deno.linkSync(`${outside}/secret.txt`, `${root}/2.txt`)],
  ["give a second name outside", () => Deno.linkSync(`${root}/true`, `${outside}/true`)],
  ["link beside the store", () => Deno.symlinkSync(root, `${config.database}.link`)],
  ["run a program", () => new Deno.Command("/bin/true").outputSync()],
  ["run a program of the root", () => new Deno.Command(`${root}/true`).outputSync()],
];
if (features.ports) {
  shut.push(
    ["listen elsewhere", () => Deno.listen({ hostname: "127.0.0.1", port: config.port + 1 })],
    ["connect", () => Deno.connect({ hostname: "127.0.0.1", port: Number(port) })],
  );
}
if (features.signals) shut.push(["signal others", () => Deno.kill(Deno.ppid, "SIGCONT")]);

let links = 0;

/** A link in the root, made and moved, which the kernel allows there. */
function linkTo(target: string): string {
  const link = `${root}/link ${++links}`;
  Deno.symlinkSync(target, link);
  Deno.renameSync(link, `${link} that was moved`);
  return `${link} that was moved`;
}

async function outcome(attempt: () => unknown): Promise<string> {
  try {
    await attempt();
    return "done";
  } catch (error) {
    return error instanceof Error ? `${error.name}: ${error.message}` : "";
  }
}

async function outcomes(attempts: typeof shut): Promise<Record<string, string>> {
  const all: Record<string, string> = {};
  for (const [what, attempt] of attempts) all[what] = await outcome(attempt);
  return all;
}

console.log(JSON.stringify({ stillOpen: await outcomes(stillOpen), shut: await outcomes(shut) }));
