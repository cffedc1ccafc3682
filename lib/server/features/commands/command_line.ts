import { DomainError } from "../../../shared/errors.ts";
import { hookEvents } from "../../../shared/schemas/choices/choices.ts";
import type { Settings } from "../../../shared/schemas/settings.ts";

/**
 * Splits a command line into words as a POSIX shell does, and does nothing else a shell does:
 * nothing is expanded, substituted, redirected or chained. Spaces, tabs and line breaks part
 * words; single quotes keep everything, double quotes everything but a backslash before
 * `"`, `\`, `$` and `` ` ``; elsewhere a backslash keeps the next character.
 *
 * @throws DomainError `invalid_option` when a quote is not closed, the line ends with a backslash
 * that keeps nothing, or there is a NUL
 */
export function splitCommandLine(line: string): string[] {
  if (line.includes("\0")) throw unreadableError("it has a NUL character");
  const words: string[] = [];
  const next = new RegExp(token, "gy");
  let word: string | null = null;
  while (next.lastIndex < line.length) {
    const match = next.exec(line)?.groups;
    if (!match) throw unreadableError("a quote or a backslash is not closed");
    if (match.space !== undefined) {
      if (word !== null) words.push(word);
      word = null;
    } else {
      word = (word ?? "") + textOf(match);
    }
  }
  return word === null ? words : [...words, word];
}

/** One token of a line; "" is the only text that no alternative matches. */
const token = String
  .raw`(?<space>[ \t\r\n]+)|'(?<single>[^']*)'|"(?<double>(?:[^"\\]|\\[^])*)"|\\(?<kept>[^])` +
  String.raw`|(?<plain>[^ \t\r\n'"\\]+)`;

function textOf({ single, double, kept, plain }: Record<string, string | undefined>): string {
  if (double !== undefined) return double.replace(/\\(["\\$`])/g, "$1");
  return single ?? kept ?? plain ?? "";
}

/**
 * Whether a line has a character that is special to a shell, quotes and backslashes among them.
 * Only letters, digits, spaces and a few signs are special in none.
 */
export function hasShellSyntax(line: string): boolean {
  return !/^[\p{L}\p{M}\p{N} _.,:@+=\/-]*$/u.test(line);
}

/** A hooked line without the `&` at its end, which marks it as a background hook. */
export function readHookLine(line: string): { line: string; waits: boolean } {
  const text = line.trim();
  const waits = !/(^|[^\\&])&$/.test(text);
  return { line: waits ? text : text.slice(0, -1).trimEnd(), waits };
}

/**
 * The words to run for a line: its own, or the shell's words with the whole line as one more.
 *
 * @param shell the words of `settings.shell`; none for no shell
 * @throws DomainError `invalid_option` for an empty line, and as {@link splitCommandLine}
 */
export function argumentsFor(line: string, shell: readonly string[]): [string, ...string[]] {
  const [program, ...rest] = shell.length > 0 ? [...shell, line] : splitCommandLine(line);
  if (program === undefined || line.trim() === "") throw unreadableError("it is empty");
  if (line.includes("\0")) throw unreadableError("it has a NUL character");
  return [program, ...rest];
}

/**
 * Refuses settings with a command line that cannot be read: it would fail at each event, and with
 * it all uploads, say. A line that is stored already is no reason to refuse other changes.
 *
 * @param current the settings in the store
 * @throws DomainError `invalid_body`
 */
export function refuseUnreadableLines({ commands, shell }: Settings, current: Settings): void {
  const isSameShell = JSON.stringify(shell) === JSON.stringify(current.shell);
  for (const event of hookEvents) {
    for (const line of commands[event]) {
      if (isSameShell && current.commands[event].includes(line)) continue;
      try {
        argumentsFor(readHookLine(line).line, shell);
      } catch (error) {
        if (!(error instanceof DomainError)) throw error;
        const reason = error.message.replace(/^[^:]*: /, "");
        throw new DomainError(
          "invalid_body",
          `Cannot run ${JSON.stringify(line)} on ${event}: ${reason}`,
        );
      }
    }
  }
}

function unreadableError(reason: string): DomainError {
  return new DomainError("invalid_option", `Cannot read the command line: ${reason}`);
}
