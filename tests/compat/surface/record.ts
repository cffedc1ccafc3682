/**
 * Records what File Browser answers to the calls of the surface:
 * `deno run -A tests/compat/surface/record.ts /path/to/filebrowser`. It needs no network.
 */
import { join } from "node:path";
import { temporaryFolder } from "../../support/disks/files.ts";
import { adminHash } from "../../support/server/server.ts";
import { admin } from "./account_calls.ts";
import { surface } from "./calls.ts";
import { recordedAnswers } from "./recorded.ts";
import { replaySurface } from "./replay.ts";
import { plantSurface } from "./surface_files.ts";

const [program] = Deno.args;
if (program === undefined) {
  console.error("Cannot record the answers: give the path of File Browser's program");
  Deno.exit(2);
}

await using folder = await temporaryFolder();
const root = join(folder.path, "root");
await Deno.mkdir(root);
await plantSurface(root);
const address = ["--address", "127.0.0.1", "--port", "0"];
const child = new Deno.Command(program, {
  args: [
    ...[...address, "--root", root, "--database", join(folder.path, "filebrowser.db")],
    ...["--username", admin.username, "--password", adminHash, "--cacheDir", folder.path],
  ],
  cwd: folder.path,
  env: { TZ: "UTC", HOME: folder.path },
  stdout: "piped",
  stderr: "null",
}).spawn();
try {
  const answers = await replaySurface(await listening(child.stdout), surface);
  const version = await versionOf(program);
  const text = JSON.stringify({ version, answers: Object.fromEntries(answers) }, null, 2);
  await Deno.writeTextFile(recordedAnswers, `${text}\n`);
  console.log(`${answers.size} answers of File Browser ${version}`);
} finally {
  child.kill("SIGTERM");
  await child.status;
}

/** Reads the log until it names the address, and then to its end. */
function listening(log: ReadableStream<Uint8Array<ArrayBuffer>>): Promise<string> {
  return new Promise((resolve, reject) => {
    let told = "";
    const hear = new WritableStream<string>({
      write(text) {
        told += text;
        const at = /Listening on (127\.0\.0\.1:\d+)/.exec(told)?.[1];
        if (at) resolve(`http://${at}`);
      },
      close: () => reject(new Error(`Cannot record the answers: File Browser ends\n${told}`)),
    });
    log.pipeThrough(new TextDecoderStream()).pipeTo(hear).catch(reject);
  });
}

async function versionOf(path: string): Promise<string> {
  const { stdout } = await new Deno.Command(path, { args: ["version"] }).output();
  return /v(\d+\.\d+\.\d+)/.exec(new TextDecoder().decode(stdout))?.[1] ?? "";
}
