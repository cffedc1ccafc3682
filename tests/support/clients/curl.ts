/** As much of `curl` as the examples of the documentation need, for machines that have none. */

/** What a command leaves behind. */
export interface CurlOutcome {
  /** What it prints, as text. */
  printed: string;
  /** What `-o` saves, by name. */
  saved: Map<string, Uint8Array<ArrayBuffer>>;
}

/** What the arguments ask for. */
interface CurlRequest {
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
  const request = read(args, files);
  const { headers, body, inQuery } = request;
  const url = inQuery ? `${request.url}?${body}` : request.url;
  const sent = inQuery ? undefined : body;
  const method = request.method ?? (sent === undefined ? "GET" : "POST");
  const answer = await fetch(url, { method, headers, body: sent, redirect: "manual" });

  const bytes = await answer.bytes();
  const saved = new Map(request.output === undefined ? [] : [[request.output, bytes]]);
  const head = request.showsHeaders ? headOf(answer) : "";
  const text = request.output === undefined ? new TextDecoder().decode(bytes) : "";
  return { printed: head + text, saved };
}

function read(
  args: readonly string[],
  files: ReadonlyMap<string, Uint8Array<ArrayBuffer>>,
): CurlRequest {
  const headers = new Headers({ "user-agent": "curl/8.5.0", accept: "*/*" });
  const request: CurlRequest = { url: "", headers, inQuery: false, showsHeaders: false };
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
        request.showsHeaders = true;
        break;
      case "-I":
        [request.showsHeaders, request.method] = [true, "HEAD"];
        break;
      case "-D":
        request.showsHeaders = value() === "-";
        break;
      case "-G":
        request.inQuery = true;
        break;
      case "-X":
        request.method = value();
        break;
      case "-H":
        addHeader(headers, value());
        break;
      case "-r":
        headers.set("range", `bytes=${value()}`);
        break;
      case "-o":
        request.output = value();
        break;
      case "-T":
        [request.method, request.body] = [request.method ?? "PUT", file(value())];
        break;
      case "--json":
        for (const name of ["content-type", "accept"]) headers.set(name, "application/json");
        request.body = value();
        break;
      case "--data-binary":
        request.body = file(value().replace(/^@/, ""));
        break;
      case "--data-urlencode":
        request.body = joined(request.body, urlencoded(value()));
        headers.set("content-type", "application/x-www-form-urlencoded");
        break;
      default:
        if (word.startsWith("-")) throw new Error(`Cannot run curl: ${word} is not known`);
        request.url = word;
    }
  }
  return request;
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

function joined(before: CurlRequest["body"], pair: string): string {
  return typeof before === "string" ? `${before}&${pair}` : pair;
}

function headOf({ status, statusText, headers }: Response): string {
  const lines = [...headers].map(([name, value]) => `${name}: ${value}`);
  return [`HTTP/1.1 ${status} ${statusText}`, ...lines, "", ""].join("\n");
}
