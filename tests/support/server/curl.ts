/** As much of `curl` as the examples of the documentation need, for machines that have none. */

/** What a command leaves behind. */
export interface CurlOutcome {
  /** What it prints, as text. */
  printed: string;
  /** What `-o` saves, by name. */
  saved: Map<string, Uint8Array<ArrayBuffer>>;
}

/** What the arguments ask for. */
interface Wish {
  url: string;
  method?: string;
  headers: Headers;
  body?: string | Uint8Array<ArrayBuffer>;
  /** `-G`: the data goes into the query. */
  inQuery: boolean;
  /** `-i` and `-I`, or `-D -`: the headers are printed. */
  showsHeaders: boolean;
  /** `-o`: the body is saved. */
  output?: string;
}

/**
 * Sends the request that the arguments of one `curl` describe.
 *
 * @param files what `@name` and `-T` read
 * @throws Error for an argument that is not known
 */
export async function curl(
  args: readonly string[],
  files: ReadonlyMap<string, Uint8Array<ArrayBuffer>>,
): Promise<CurlOutcome> {
  const wish = read(args, files);
  const { headers, body, inQuery } = wish;
  const url = inQuery ? `${wish.url}?${body}` : wish.url;
  const sent = inQuery ? undefined : body;
  const method = wish.method ?? (sent === undefined ? "GET" : "POST");
  const answer = await fetch(url, { method, headers, body: sent, redirect: "manual" });

  const bytes = await answer.bytes();
  const saved = new Map(wish.output === undefined ? [] : [[wish.output, bytes]]);
  const head = wish.showsHeaders ? headOf(answer) : "";
  const text = wish.output === undefined ? new TextDecoder().decode(bytes) : "";
  return { printed: head + text, saved };
}

function read(
  args: readonly string[],
  files: ReadonlyMap<string, Uint8Array<ArrayBuffer>>,
): Wish {
  const headers = new Headers({ "user-agent": "curl/8.5.0", accept: "*/*" });
  const wish: Wish = { url: "", headers, inQuery: false, showsHeaders: false };
  const left = [...args];
  const value = () => left.shift() ?? "";
  const file = (name: string) => {
    const bytes = files.get(name);
    if (bytes) return bytes;
    throw new Error(`Cannot run curl: there is no file "${name}"`);
  };
  for (let word = left.shift(); word !== undefined; word = left.shift()) {
    switch (word) {
      case "-s":
      case "-N":
        break;
      case "-i":
        wish.showsHeaders = true;
        break;
      case "-I":
        [wish.showsHeaders, wish.method] = [true, "HEAD"];
        break;
      case "-D":
        wish.showsHeaders = value() === "-";
        break;
      case "-G":
        wish.inQuery = true;
        break;
      case "-X":
        wish.method = value();
        break;
      case "-H":
        addHeader(headers, value());
        break;
      case "-r":
        headers.set("range", `bytes=${value()}`);
        break;
      case "-o":
        wish.output = value();
        break;
      case "-T":
        [wish.method, wish.body] = [wish.method ?? "PUT", file(value())];
        break;
      case "--json":
        for (const name of ["content-type", "accept"]) headers.set(name, "application/json");
        wish.body = value();
        break;
      case "--data-binary":
        wish.body = file(value().replace(/^@/, ""));
        break;
      case "--data-urlencode":
        wish.body = joined(wish.body, urlencoded(value()));
        headers.set("content-type", "application/x-www-form-urlencoded");
        break;
      default:
        if (word.startsWith("-")) throw new Error(`Cannot run curl: ${word} is not known`);
        wish.url = word;
    }
  }
  return wish;
}

function addHeader(headers: Headers, line: string): void {
  const [name = "", ...rest] = line.split(":");
  headers.set(name, rest.join(":").trim());
}

/** `name=text` with the text encoded. */
function urlencoded(pair: string): string {
  const [name = "", ...rest] = pair.split("=");
  return `${name}=${encodeURIComponent(rest.join("="))}`;
}

function joined(before: Wish["body"], pair: string): string {
  return typeof before === "string" ? `${before}&${pair}` : pair;
}

function headOf({ status, statusText, headers }: Response): string {
  const lines = [...headers].map(([name, value]) => `${name}: ${value}`);
  return [`HTTP/1.1 ${status} ${statusText}`, ...lines, "", ""].join("\n");
}
