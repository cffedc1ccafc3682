/** Which attacks are made with two threads, too. */
import { join } from "node:path";
import { top } from "./test_files.ts";

/** The first line of such a file, and what the threads share or keep each for itself. */
const mark = /^\/\/ With two threads, too: (?:\S.*)\n/;

/** Whether a file says that its tests are about what threads share. */
export function isShared(file: string): boolean {
  return mark.test(Deno.readTextFileSync(join(top, file)));
}
