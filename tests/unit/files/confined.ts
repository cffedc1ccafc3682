/** Runs a script where the disk says no: for failures that no ordinary folder has. */

/** What a script said, for the test to look at. */
export interface Outcome {
  success: boolean;
  output: string;
}

/**
 * Runs a script with a disk of its own mounted on a folder, in a namespace that ends with it.
 *
 * @param mount the shell command that mounts on `"$1"`
 * @returns null where this machine lets nobody mount
 */
export async function runMounted(
  script: string,
  args: [folder: string, ...string[]],
  mount: string,
): Promise<Outcome | null> {
  for (const kind of [["--mount"], ["--user", "--map-root-user", "--mount"]]) {
    const shell = (command: string) => ["unshare", ...kind, "sh", "-c", command, "sh", args[0]];
    if (!(await run(shell(mount))).success) continue;
    return await run([...shell(`${mount} && shift && exec "$@"`), ...deno(script, args)]);
  }
  return null;
}

/** Runs a script in which no file may grow beyond so many KiB: the system then says EFBIG. */
export function runWithSmallFiles(script: string, args: string[], kib: number): Promise<Outcome> {
  const command = `trap '' XFSZ; ulimit -f ${kib * 2} && exec "$@"`;
  return run(["sh", "-c", command, "sh", ...deno(script, args)]);
}

/** Runs a script to which the modes of files apply: as we are, or as a root without its powers. */
export function runUnprivileged(script: string, args: string[]): Promise<Outcome> {
  const drop = ["setpriv", "--inh-caps=-all", "--bounding-set=-all"];
  return run([...(Deno.uid() === 0 ? drop : []), ...deno(script, args)]);
}

function deno(script: string, args: string[]): string[] {
  const path = new URL(script, import.meta.url).pathname;
  return [Deno.execPath(), "run", "-A", "--no-check", "--cached-only", path, ...args];
}

async function run([command = "", ...args]: string[]): Promise<Outcome> {
  try {
    const child = await new Deno.Command(command, { args }).output();
    const text = new TextDecoder();
    return {
      success: child.success,
      output: text.decode(child.stdout) + text.decode(child.stderr),
    };
  } catch (error) {
    return { success: false, output: String(error) };
  }
}
