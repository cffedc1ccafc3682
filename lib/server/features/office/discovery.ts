import { DomainError } from "../../../shared/errors.ts";
import type { OfficeServer } from "../../core/config/office_options.ts";
import { SingleFlight } from "../../core/concurrency/single_flight.ts";
import { elementsOf, readXml, type XmlElement } from "../dav/xml/read_xml.ts";
import { type ProofKey, readProofKey } from "./proof.ts";

/** Timeout of the request with its answer, in milliseconds. */
const requestMs = 10_000;

/** The longest answer, in bytes. */
const maxAnswerBytes = 2 * 2 ** 20;

/** How long a description is used, in milliseconds: formats and keys of the server may change. */
const keptMs = 60 * 60_000;

/** The shortest time between two requests, in milliseconds, whatever asks for them. */
const pauseMs = 30_000;

/** The longest address of an editor, in characters. */
const maxAddressLength = 2_000;

/** What is done with a document. */
export type OfficeAction = "view" | "edit";

/** The description that an office server gives of itself. */
export interface OfficeClient {
  /** The addresses of its editors by the extension of a file, in lower case; with placeholders. */
  editors: ReadonlyMap<string, Partial<Record<OfficeAction, string>>>;
  /** The keys that its requests are signed with, the present one first; none where it does not sign. */
  keys: readonly ProofKey[];
}

/** Options of the {@linkcode Discovery}. */
export interface DiscoveryOptions {
  /** The clock, in milliseconds. */
  now?: () => number;
  /** Timeout of the request with its answer, in milliseconds. */
  timeoutMs?: number;
  /** Takes the reason of a failure, for the log: users are not told the address. */
  report?: (reason: string) => void;
}

/**
 * The description of the office server (WOPI discovery): fetched when it is needed, and kept for an
 * hour; longer while the server is away. Bounded in time and length. No redirect is followed, and
 * nothing that the description names is ever requested by this server (SSRF, CWE-918).
 */
export class Discovery {
  readonly #server: OfficeServer;
  readonly #now: () => number;
  readonly #timeoutMs: number;
  readonly #report: (reason: string) => void;
  readonly #flight = new SingleFlight<OfficeClient>();
  #known: OfficeClient | null = null;
  #knownAt = -Infinity;
  #triedAt = -Infinity;
  #hasFailed = false;

  constructor(
    server: OfficeServer,
    { now = () => Date.now(), timeoutMs = requestMs, report = () => {} }: DiscoveryOptions = {},
  ) {
    this.#server = server;
    this.#now = now;
    this.#timeoutMs = timeoutMs;
    this.#report = report;
  }

  /**
   * The description.
   *
   * @throws DomainError `busy` while the server is away, or answers with no description
   */
  async read(): Promise<OfficeClient> {
    if (this.#known && this.#now() - this.#knownAt < keptMs) return this.#known;
    return await this.#refresh();
  }

  /**
   * Reads it again, at most twice a minute: the keys of the server may have changed.
   *
   * @throws DomainError as {@linkcode read}
   */
  async reread(): Promise<OfficeClient> {
    return await this.#refresh();
  }

  /**
   * Reads it again at once, for an administrator's test.
   *
   * @throws DomainError `busy` with the reason and the address
   */
  async test(): Promise<OfficeClient> {
    return await this.#flight.join("discovery", (signal) => this.#fetch(signal));
  }

  async #refresh(): Promise<OfficeClient> {
    const isPausing = this.#now() - this.#triedAt < pauseMs;
    if (isPausing && this.#known) return this.#known;
    if (isPausing && this.#hasFailed) throw awayError();
    try {
      return await this.test();
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      this.#report(error.message);
      if (this.#known) return this.#known;
      throw awayError();
    }
  }

  async #fetch(signal: AbortSignal): Promise<OfficeClient> {
    this.#triedAt = this.#now();
    try {
      const bytes = await fetchDescription(this.#server, signal, this.#timeoutMs);
      this.#known = await readDiscovery(bytes);
      this.#knownAt = this.#now();
      this.#hasFailed = false;
      return this.#known;
    } catch (error) {
      this.#hasFailed = true;
      const reason = error instanceof Error ? error.message : String(error);
      const message = error instanceof DomainError
        ? reason
        : `Cannot reach the office server at ${this.#server.url}: ${reason}`;
      throw new DomainError("busy", message, pauseMs / 1000);
    }
  }
}

function awayError(): DomainError {
  const message =
    "Cannot open documents in an editor: the office server does not answer as it should";
  return new DomainError("busy", message, pauseMs / 1000);
}

async function fetchDescription(
  { url, ca }: OfficeServer,
  signal: AbortSignal,
  timeoutMs: number,
): Promise<Uint8Array<ArrayBuffer>> {
  using client = Deno.createHttpClient({
    caCerts: ca === undefined ? [] : [ca],
    poolMaxIdlePerHost: 0,
  });
  const init: RequestInit & { client: Deno.HttpClient } = {
    client,
    redirect: "manual",
    headers: { accept: "application/xml, text/xml" },
    signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
  };
  const answer = await fetch(`${url}/hosting/discovery`, init);
  if (answer.status !== 200) {
    await answer.body?.cancel();
    const isRedirect = answer.status >= 300 && answer.status < 400;
    const hint = isRedirect ? ": name the address that it redirects to" : "";
    throw new Error(`it answers with the status ${answer.status}${hint}`);
  }
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  for await (const part of answer.body ?? []) {
    length += part.length;
    if (length > maxAnswerBytes) throw new Error("its description is too long");
    parts.push(part);
  }
  return await new Blob(parts).bytes();
}

/**
 * Reads the description of an office server. Zones for the internet come before those for its own
 * network, and what names an extension twice counts once.
 *
 * @throws DomainError `invalid_body`
 */
async function readDiscovery(bytes: Uint8Array): Promise<OfficeClient> {
  const action = "Cannot read the description of the office server";
  const root = await readXml(bytes, action);
  if (root.name !== "wopi-discovery") {
    throw new DomainError("invalid_body", `${action}: expected the element "wopi-discovery"`);
  }
  const zones = named(root, "net-zone");
  const isExternal = (zone: XmlElement) => attribute(zone, "name").startsWith("external");
  const sorted = [...zones.filter(isExternal), ...zones.filter((zone) => !isExternal(zone))];
  const editors = new Map<string, Partial<Record<OfficeAction, string>>>();
  for (const app of sorted.flatMap((zone) => named(zone, "app"))) {
    for (const each of named(app, "action")) {
      const [name, ext, address] = ["name", "ext", "urlsrc"].map((key) => attribute(each, key));
      if (!ext || !address || (name !== "view" && name !== "edit")) continue;
      const isUsable = address.length <= maxAddressLength && isWebAddress(address);
      if (!isUsable || !/^[a-z\d]{1,16}$/i.test(ext)) continue;
      const found = editors.get(ext.toLowerCase()) ?? {};
      found[name] ??= address;
      editors.set(ext.toLowerCase(), found);
    }
  }
  const [key] = named(root, "proof-key");
  const keys = key
    ? [readProofKey(attribute(key, "modulus"), attribute(key, "exponent"))].concat(
      readProofKey(attribute(key, "oldmodulus"), attribute(key, "oldexponent")),
    )
    : [];
  const [present, former] = keys;
  if (key && !present) throw new DomainError("invalid_body", `${action}: its key is malformed`);
  return { editors, keys: [present, former].filter((each) => each != null) };
}

function isWebAddress(address: string): boolean {
  return /^https?:$/.test(URL.parse(address.replace(/<.*$/s, ""))?.protocol ?? "");
}

function named(element: XmlElement, name: string): XmlElement[] {
  return elementsOf(element).filter((each) => each.name === name);
}

function attribute({ attributes }: XmlElement, name: string): string {
  return attributes.find((each) => each.name === name)?.value ?? "";
}

/** What the address of an editor is made of. */
export interface EditorOptions {
  /** The address of the document for the office server. */
  source: string;
  /** The language of the page: `de`, `pt-BR`. */
  language: string;
  /** The theme of the page; the editor's own where it is left out. */
  theme?: "light" | "dark" | null;
}

/**
 * The address of an editor for a document, from one of the description: its placeholders, such as
 * `<ui=UI_LLCC&>`, get their values or vanish. Its origin and the start of its path are those that the
 * operator has named for browsers, whatever the description says.
 */
export function editorAddress(
  { url, publicUrl }: Pick<OfficeServer, "url" | "publicUrl">,
  template: string,
  { source, language, theme }: EditorOptions,
): string {
  const values: Record<string, string> = {
    WOPI_SOURCE: source,
    UI_LLCC: language,
    DC_LLCC: language,
    ...theme && { THEME_ID: theme === "dark" ? "2" : "1" },
  };
  const filled = template.replace(/<(\w+)=(\w+)&?>/g, (_, name: string, placeholder: string) => {
    const value = Object.hasOwn(values, placeholder) ? values[placeholder] : undefined;
    return value === undefined ? "" : `${name}=${encodeURIComponent(value)}&`;
  });
  const { pathname, searchParams } = new URL(filled);
  const isSet = (name: string) =>
    [...searchParams.keys()].some((key) => key.toLowerCase() === name.toLowerCase());
  if (!isSet("WOPISrc")) searchParams.set("WOPISrc", source);
  // Collabora Online reads the language here, and others ignore it.
  if (!isSet("lang")) searchParams.set("lang", language);
  return `${new URL(publicUrl).origin}${publicPath(pathname, url, publicUrl)}?${searchParams}`;
}

/** The path of an editor for browsers. A proxy may serve the office server below a path of its own. */
function publicPath(path: string, url: string, publicUrl: string): string {
  const [inside, outside] = [url, publicUrl].map((each) =>
    new URL(each).pathname.replace(/\/$/, "")
  );
  if (!outside || path.startsWith(`${outside}/`)) return path;
  return outside + (inside && path.startsWith(`${inside}/`) ? path.slice(inside.length) : path);
}
