/** A shell that knows what the examples of the documentation use, and nothing else. */
import { curl } from "../clients/curl.ts";

/** Runs the commands of one page, one after another. */
export class Shell {
  readonly #variables: Map<string, string>;
  readonly #files = new Map<string, Uint8Array<ArrayBuffer>>();

  /** @param variables what `$NAME` stands for */
  constructor(variables: Record<string, string>) {
    this.#variables = new Map(Object.entries(variables));
  }

  /**
   * Runs `NAME=value`, `NAME=$(command)`, `echo text > file` or `curl …`, the last also with
   * `| jq` behind it.
   *
   * @returns what is printed
   * @throws Error for any other command
   */
  async run(command: string): Promise<string> {
    const assignment = /^([A-Z]+)=(?:\$\((.*)\)|(.*))$/s.exec(command);
    if (assignment) {
      const [, name = "", inner, value = ""] = assignment;
      const text = inner === undefined
        ? words(value, this.#variables).join(" ")
        : await this.run(inner);
      // The tests know where the server is; the page says where it usually is.
      if (!this.#variables.has(name) || inner !== undefined) {
        this.#variables.set(name, text.trimEnd());
      }
      return "";
    }
    const [program, ...args] = words(command, this.#variables);
    if (program === "echo") return this.#echo(args);
    if (program === "curl") return await this.#curl(args);
    throw new Error(`Cannot run ${program}: the examples have no such program`);
  }

  #echo([text = "", arrow, name]: string[]): string {
    if (arrow !== ">" || name === undefined) return `${text}\n`;
    this.#files.set(name, new TextEncoder().encode(`${text}\n`));
    return "";
  }

  async #curl(args: string[]): Promise<string> {
    const pipe = args.indexOf("|");
    const [own, behind] = pipe < 0 ? [args, []] : [args.slice(0, pipe), args.slice(pipe + 1)];
    const { printed, saved } = await curl(own, this.#files);
    for (const [name, bytes] of saved) this.#files.set(name, bytes);
    if (behind.length === 0) return printed;
    const [program, ...filter] = behind;
    if (program === "jq") return jq(JSON.parse(printed), filter);
    throw new Error(`Cannot run ${program}: the examples have no such program`);
  }
}

/** Splits a line into words: quotes, `$NAME` outside of single quotes, and `\` at a line's end. */
function words(line: string, variables: ReadonlyMap<string, string>): string[] {
  const expand = (text: string) =>
    text.replace(/\$([A-Z]+)/g, (_, name) => variables.get(name) ?? "");
  const found = line.replaceAll("\\\n", " ").matchAll(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g);
  return [...found].map(([word]) =>
    word.replace(
      /'([^']*)'|"([^"]*)"|([^'"]+)/g,
      (_, single, double, bare) => single ?? expand(double ?? bare),
    )
  );
}

/** `jq`, or `jq -r .[0].name`. */
function jq(value: unknown, [flag, path = ""]: string[]): string {
  if (flag === undefined) return `${JSON.stringify(value, null, 2)}\n`;
  if (flag !== "-r") throw new Error(`Cannot run jq: ${flag} is not known`);
  const keys = path.match(/\w+/g) ?? [];
  const found = keys.reduce((value, key) => Reflect.get(Object(value), key), value);
  return `${found}\n`;
}
