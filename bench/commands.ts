/** The programs that the benchmark measures with and against. */

/**
 * Runs a program to its end and answers with what it printed.
 *
 * @throws Error when it fails.
 */
export async function run(program: string, ...args: string[]): Promise<string> {
  const command = new Deno.Command(program, { args, stdin: "null" });
  const { success, stdout, stderr } = await command.output();
  if (success) return new TextDecoder().decode(stdout);
  throw new Error(`Cannot run ${program}: ${new TextDecoder().decode(stderr).trim()}`);
}

/** Like {@linkcode run}, for programs whose output only costs time: it goes nowhere. */
export async function runQuietly(program: string, ...args: string[]): Promise<void> {
  const command = new Deno.Command(program, { args, stdin: "null", stdout: "null" });
  const { success } = await command.output();
  if (!success) throw new Error(`Cannot run ${program} ${args.join(" ")}`);
}

/** Whether a program is on PATH or among the system's. */
export function has(program: string): boolean {
  const folders = [...(Deno.env.get("PATH") ?? "").split(":"), "/usr/sbin", "/usr/bin"];
  return folders.some((folder) => {
    try {
      return Deno.statSync(`${folder}/${program}`).isFile;
    } catch {
      return false;
    }
  });
}

/**
 * Fetches with curl, drops the body, and answers with the seconds from the first byte sent to the
 * last one received.
 */
export async function curl(url: string, ...args: string[]): Promise<number> {
  const output = ["--silent", "--show-error", "--fail", "--output", "/dev/null"];
  return Number(await run("curl", ...output, "--write-out", "%{time_total}", ...args, url));
}

/** Arguments of curl for a request whose answer goes nowhere. @param headers "Name: value" */
export function curlArgs(headers: readonly string[]): string[] {
  const quiet = ["--silent", "--show-error", "--fail", "--output", "/dev/null"];
  return [...quiet, ...headers.flatMap((header) => ["--header", header])];
}

/** Fetches with curl, several at once; answers with the seconds until the last has all of it. */
export async function fetchAll(
  headers: readonly string[],
  url: string,
  clients = 1,
): Promise<number> {
  const args = curlArgs(headers);
  if (clients === 1) {
    return Number(await run("curl", ...args, "--write-out", "%{time_total}", url));
  }
  const start = performance.now();
  await Promise.all(Array.from({ length: clients }, () => run("curl", ...args, url)));
  return (performance.now() - start) / 1000;
}
