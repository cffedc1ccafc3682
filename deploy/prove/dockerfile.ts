/** What is read of a Dockerfile: instructions in their order, as `deploy/Dockerfile` uses them. */

/** One instruction: `{ name: "RUN", text: "npm pack" }`. */
export interface Instruction {
  name: string;
  text: string;
}

/** Reads the instructions: comments are left out, lines that go on are joined. */
export function readDockerfile(content: string): Instruction[] {
  const lines = content.replace(/^\s*#.*\n/gm, "").replace(/\\\n\s*/g, "").split("\n");
  return lines.filter((line) => line.trim() !== "").map((line) => {
    const [, name = "", text = ""] = /^(\w+)\s+(.*)$/.exec(line.trim()) ?? [];
    return { name: name.toUpperCase(), text };
  });
}

/** The words of `ENV a=1 b=2`. */
export function readPairs(text: string): [name: string, value: string][] {
  return [...text.matchAll(/(\w+)=("[^"]*"|\S*)/g)]
    .map(([, name = "", value = ""]) => [name, value.replaceAll('"', "")]);
}

/** The words of `["a", "b"]`, or those of a shell's line. */
export function readCommand(text: string): string[] {
  const json = text.slice(text.indexOf("["));
  return text.includes("[") ? JSON.parse(json) : ["/bin/sh", "-c", text];
}

/**
 * Whether `.dockerignore` leaves a path out: names at the top, and endings anywhere.
 *
 * @param path relative to the top
 */
export function isIgnored(path: string, ignored: readonly string[]): boolean {
  return ignored.some((pattern) =>
    pattern.startsWith("**/*")
      ? path.endsWith(pattern.slice(4))
      : path === pattern || path.startsWith(`${pattern}/`)
  );
}
