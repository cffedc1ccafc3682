/**
 * `deno task test [name or path …]`: every check of the project, or the named ones. The last line
 * is `N passed, N failed`; the exit status is 1 when anything failed.
 */
import { ensureArchivers } from "./support/archivers.ts";
import { type Check, chooseChecks } from "./support/checks.ts";
import { ensureChromium } from "./support/chromium.ts";
import { readTally, type Tally } from "./support/tally.ts";

/** When all checks together take longer, one hangs: it is stopped, and the rest fail with it. */
const limit = AbortSignal.timeout(20 * 60_000);

const top = new URL("..", import.meta.url).pathname;
const screen = Deno.stdout.writable.getWriter();
const failure: Tally = { passed: 0, failed: 1, ignored: 0 };

async function installPackages(): Promise<void> {
  const { success } = await deno(["install", "--frozen"], { stdout: "inherit" }).output();
  if (!success) throw new Error("Cannot install the packages: deno install --frozen failed");
}

async function run(check: Check): Promise<Tally> {
  console.log(`\n== ${check.name}`);
  try {
    if (check.archivers) await ensureArchivers();
    const env = { ...check.env };
    if (check.browser) env.CHROMIUM = await ensureChromium();
    const child = deno(check.args, { stdout: "piped", env, signal: limit }).spawn();
    const output = await show(child.stdout);
    const { code, signal } = await child.status;
    if (signal) console.log(`${check.name} ended by ${signal}`);
    if (check.counts === "tests") return readTally(output, code);
    if (code !== 0) return failure;
    console.log(`${check.name} ok`);
    return { ...failure, passed: 1, failed: 0 };
  } catch (error) {
    console.log(error instanceof Error ? error.message : error);
    return failure;
  }
}

function deno(args: string[], options: Deno.CommandOptions): Deno.Command {
  return new Deno.Command(Deno.execPath(), { args, stdin: "null", stderr: "inherit", ...options });
}

/** Passes output on as it comes, and answers with its end, where the summary is. */
async function show(output: ReadableStream<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let tail = "";
  for await (const chunk of output) {
    await screen.write(chunk);
    tail = (tail + decoder.decode(chunk, { stream: true })).slice(-10_000);
  }
  return tail;
}

Deno.chdir(top);
const chosen = chooseChecks(Deno.args);
await installPackages();

const tallies: Tally[] = [];
for (const check of chosen) tallies.push(await run(check));

const total = (count: keyof Tally) => tallies.reduce((sum, tally) => sum + tally[count], 0);
const broken = chosen.filter((_, index) => (tallies[index]?.failed ?? 0) > 0);
console.log("");
if (broken.length > 0) console.log(`Failed: ${broken.map(({ name }) => name).join(", ")}`);
if (total("ignored") > 0) console.log(`Ignored: ${total("ignored")}`);
console.log(`${total("passed")} passed, ${total("failed")} failed`);
Deno.exit(total("failed") > 0 ? 1 : 0);
