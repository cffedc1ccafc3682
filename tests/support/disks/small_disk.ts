/** Disks in memory that a test may fill. Mounting wants the superuser. */
import { type TemporaryFolder, temporaryFolder } from "./files.ts";

/** Runs `mount` with these arguments. */
export function mount(...args: string[]): Promise<void> {
  return run("mount", args);
}

/** A disk of its own in memory, gone with the block that holds it. @param options as for tmpfs */
export async function smallDisk(options: string): Promise<TemporaryFolder> {
  const folder = await temporaryFolder();
  await mount("-t", "tmpfs", "-o", options, "cubby-test", folder.path);
  return {
    path: folder.path,
    async [Symbol.asyncDispose]() {
      await run("umount", [folder.path]);
      await folder[Symbol.asyncDispose]();
    },
  };
}

async function run(command: string, args: string[]): Promise<void> {
  const { success, stderr } = await new Deno.Command(command, { args }).output();
  if (!success) throw new Error(`${command}: ${new TextDecoder().decode(stderr)}`);
}

/** Writes a file that leaves no byte of its disk. */
export function fillDisk(path: string): void {
  using file = Deno.openSync(path, { write: true, create: true });
  for (let size = 65_536; size >= 1;) {
    try {
      file.writeSync(new Uint8Array(size));
    } catch (error) {
      if (!/os error 28/.test(String(error))) throw error;
      size = Math.floor(size / 2);
    }
  }
}
