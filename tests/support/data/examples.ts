/** The examples of a page of documentation: commands, and what they print. */

/** One command with what it prints. */
export interface Example {
  /** Where it stands in the page, counted from 1. */
  line: number;
  command: string;
  /** What is printed, as the page has it. */
  printed: string;
}

/** Reads the `console` blocks of a page in Markdown: `$ command`, and below it what it prints. */
export function readExamples(markdown: string): Example[] {
  const examples: Example[] = [];
  let isInside = false;
  for (const [index, text] of markdown.split("\n").entries()) {
    const last = examples.at(-1);
    if (/^```/.test(text)) isInside = text === "```console";
    else if (!isInside) continue;
    else if (text.startsWith("$ ")) {
      examples.push({ line: index + 1, command: text.slice(2), printed: "" });
    } else if (last?.printed === "" && last.command.endsWith("\\")) last.command += `\n${text}`;
    else if (last) last.printed += `${text}\n`;
  }
  return examples;
}

/**
 * Whether a command printed what the page says. Of headers the page may leave some out; `…` stands
 * for anything; what differs from run to run (times, tokens, tags, ids, the disk) is left out of
 * account.
 */
export function matches(printed: string, { printed: expected }: Example): boolean {
  const [head, body] = splitHead(expected);
  const [realHead, realBody] = splitHead(printed);
  const realLines = realHead.map(comparable);
  return head.every((line) => realLines.some((real) => fits(comparable(line), real))) &&
    fits(comparable(body).trimEnd(), comparable(realBody).trimEnd());
}

/** The status line and the headers, if there are any, and what comes behind the empty line. */
function splitHead(text: string): [string[], string] {
  if (!text.startsWith("HTTP/")) return [[], text];
  const [head = "", ...rest] = text.split("\n\n");
  return [head.split("\n").filter((line) => line !== "").map(lowerName), rest.join("\n\n")];
}

function lowerName(line: string): string {
  return line.replace(/^[\w-]+:/, (name) => name.toLowerCase());
}

function fits(expected: string, real: string): boolean {
  const parts = expected.split("…").map((part) => RegExp.escape(part));
  return new RegExp(`^${parts.join("[^]*")}$`).test(real);
}

/** A text without what is never twice the same. */
function comparable(text: string): string {
  return text
    .replace(/\r/g, "")
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "<time>")
    .replace(/\w{3}, \d\d \w{3} \d{4} [\d:]{8} GMT/g, "<date>")
    .replace(/"sid": "[\w-]+"/g, '"sid": <sid>')
    .replace(/"hash": "[\w…-]+"/g, '"hash": <hash>')
    .replace(/"(?:(?:zip-)?[0-9a-f]{32}|[0-9a-z]+-[0-9a-z]+-[0-9a-z]+(?:-vtt\d+)?)"/g, "<tag>")
    .replace(/\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, "<boundary>")
    .replace(/curl\/[\d.]+/g, "curl")
    .replace(/"(total|used|mode)": ?\d+/g, '"$1": <number>')
    .replace(/("type": "listing",\s*"size": )\d+/g, "$1<number>");
}
