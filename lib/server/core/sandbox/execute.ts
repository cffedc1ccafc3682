import { cString, lastError, type Libc } from "./libc.ts";

/** A program to start. */
export interface Program {
  path: string;
  /** The arguments, without the program's own name. */
  args: string[];
  /** Its whole environment. */
  env: Record<string, string>;
}

/**
 * Replaces this process by a program: the process id stays, so that signals reach the server, and
 * no launcher remains that keeps 30 MB. The Landlock domain of the calling thread stays in force.
 *
 * @throws Error when the kernel refuses; otherwise it does not return
 */
export function replaceProcess(libc: Libc, { path, args, env }: Program): never {
  const variables = Object.entries(env).map(([name, value]) => `${name}=${value}`);
  libc.execve(cString(path), stringArray([path, ...args]), stringArray(variables));
  throw new Error(`Cannot execute "${path}": error ${lastError(libc)}`);
}

/** Runs a program as a child where exec is missing; forwards signals and exits with its status. */
export async function runProgram({ path, args, env }: Program): Promise<never> {
  const command = new Deno.Command(path, { args, env, clearEnv: true, stdin: "inherit" });
  const child = command.spawn();
  const signals: Deno.Signal[] = Deno.build.os === "windows" ? ["SIGINT"] : ["SIGINT", "SIGTERM"];
  for (const signal of signals) Deno.addSignalListener(signal, () => child.kill(signal));
  const { code } = await child.status;
  Deno.exit(code);
}

/** A null-terminated array of C strings: the pointers, then the strings. */
function stringArray(texts: string[]): Uint8Array<ArrayBuffer> {
  const strings = texts.map(cString);
  const tableBytes = (strings.length + 1) * BigUint64Array.BYTES_PER_ELEMENT;
  const length = strings.reduce((sum, string) => sum + string.length, tableBytes);
  const memory = new Uint8Array(length);
  const table = new BigUint64Array(memory.buffer, 0, strings.length + 1);
  const address = Deno.UnsafePointer.value(Deno.UnsafePointer.of(memory));
  let end = tableBytes;
  strings.forEach((string, index) => {
    memory.set(string, end);
    table[index] = address + BigInt(end);
    end += string.length;
  });
  return memory;
}
