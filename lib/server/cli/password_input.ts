/** How commands take passwords: typed without an echo, from standard input, or as an argument. */
import { DomainError } from "../../shared/errors.ts";
import type { Given } from "./flags.ts";

/** The standard input of a command. */
export interface PasswordInput {
  /** Whether a person types there. */
  isTerminal(): boolean;
  /** Reads the first line, without its end; as typed, it is not shown. @param prompt printed first */
  readLine(prompt?: string): Promise<string>;
}

/** The flag by which a script passes a password. */
export const passwordFlag = {
  name: "password-stdin",
  about: "Reads the password from the first line of standard input.",
};

/** What the help says of a password among the arguments. */
export const visiblePassword =
  "Other users of the machine can see arguments: prefer --password-stdin.";

/**
 * The password of a command: the argument, else the first line of standard input with
 * `--password-stdin`; else it is typed twice at a terminal.
 *
 * @throws DomainError `invalid_option` when it is given twice, is missing, or the two differ
 */
export async function readPassword(
  { flags, input }: Given & { input?: PasswordInput },
  given: string | undefined,
): Promise<string> {
  const piped = await readPipedPassword({ flags, input }, given);
  if (piped !== undefined) return piped;
  if (given !== undefined) return given;
  if (!input?.isTerminal()) {
    const reason = "the password is missing; pass it with --password-stdin";
    throw new DomainError("invalid_option", `Cannot run the command: ${reason}`);
  }
  const typed = await input.readLine("Password: ");
  if (typed === await input.readLine("The same again: ")) return typed;
  throw new DomainError("invalid_option", "Cannot use the password: the two differ");
}

/**
 * The password that `--password-stdin` reads; undefined without the flag.
 *
 * @param given the password among the arguments, which must not be there as well
 * @throws DomainError `invalid_option`
 */
export async function readPipedPassword(
  { flags, input }: Pick<Given, "flags"> & { input?: PasswordInput },
  given: string | undefined,
): Promise<string | undefined> {
  if (flags.get(passwordFlag.name) !== "true") return undefined;
  const isTwice = given !== undefined;
  const line = isTwice ? "" : await input?.readLine("Password: ") ?? "";
  if (line !== "") return line;
  const reason = isTwice ? "the password is an argument as well" : "standard input is empty";
  throw new DomainError("invalid_option", `Cannot use --password-stdin: ${reason}`);
}

/** The longest line that is read, in bytes. */
const maxLineBytes = 4_096;

/** Bytes of a terminal without its own line editing. */
const keys = { interrupt: 3, backspace: 8, newline: 10, enter: 13, clear: 21, delete: 127 };

/** The standard input of this process. @param print prints a prompt, without an end of line */
export function standardInput(print: (text: string) => void): PasswordInput {
  const { stdin } = Deno;
  const isTerminal = () => stdin.isTerminal();

  async function readLine(prompt = ""): Promise<string> {
    const isTyped = isTerminal();
    if (!isTyped) return await readBytes(false);
    print(prompt);
    stdin.setRaw(true);
    try {
      return await readBytes(true);
    } finally {
      stdin.setRaw(false);
      print("\n");
    }
  }

  async function readBytes(isTyped: boolean): Promise<string> {
    const line: number[] = [];
    const next = new Uint8Array(1);
    while (line.length < maxLineBytes && await stdin.read(next) !== null) {
      const [byte = 0] = next;
      if (byte === keys.newline || (isTyped && byte === keys.enter)) break;
      if (isTyped && byte === keys.interrupt) {
        throw new DomainError("invalid_option", "Cannot run the command: interrupted");
      }
      if (isTyped && byte === keys.clear) line.length = 0;
      else if (isTyped && (byte === keys.backspace || byte === keys.delete)) removeLast(line);
      else line.push(byte);
    }
    return new TextDecoder().decode(Uint8Array.from(line)).replace(/\r$/, "");
  }

  return { isTerminal, readLine };
}

/** Removes the last character of a line in UTF-8. */
function removeLast(line: number[]): void {
  while (((line.pop() ?? 0) & 0xc0) === 0x80);
}
