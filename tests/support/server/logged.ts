import type { TestApp } from "./app.ts";

/**
 * Waits for a line of the log; another process writes it when it comes to it.
 *
 * @returns the first line that matches
 * @throws Error when none comes
 */
export async function untilLogged({ log }: TestApp, pattern: RegExp): Promise<string> {
  const deadline = Date.now() + 30_000;
  for (;;) {
    const line = log.lines.find((each) => pattern.test(each));
    if (line !== undefined) return line;
    if (Date.now() > deadline) {
      throw new Error(`No line of the log matches ${pattern}:\n${log.lines.join("\n")}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
