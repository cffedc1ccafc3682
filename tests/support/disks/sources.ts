/** A copy of the project that tests may change. */
import { dirname, join } from "node:path";

/**
 * Copies the sources that git knows or does not ignore.
 *
 * @throws Error when git does not answer
 */
export async function copySources(top: string, to: string): Promise<void> {
  const args = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
  const { success, stdout } = await new Deno.Command("git", { args, cwd: top }).output();
  if (!success) throw new Error("Cannot copy the sources: git does not list them");
  for (const path of new TextDecoder().decode(stdout).split("\0").filter(Boolean)) {
    const target = join(to, path);
    await Deno.mkdir(dirname(target), { recursive: true });
    await Deno.copyFile(join(top, path), target).catch(ignoreDeleted);
  }
}

function ignoreDeleted(error: unknown): void {
  if (!(error instanceof Deno.errors.NotFound)) throw error;
}
