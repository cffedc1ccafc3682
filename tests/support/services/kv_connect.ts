/**
 * A KV Connect server (version 3) with its records in memory: where a test needs several servers on
 * one store, and no `denokv` that lasts. As a program it prints its URL, and serves until it is ended.
 */
import { spawn } from "node:child_process";
import * as decoding from "lib0/decoding";
import * as encoding from "lib0/encoding";

type Bytes = Uint8Array<ArrayBuffer>;

/** A record as the protocol has it. */
interface Stored {
  value: Bytes;
  encoding: number;
  versionstamp: Bytes;
}

/** Of the protocol's enumerations. */
const status = { readSuccess: 1, writeSuccess: 1, checkFailure: 2 } as const;
const mutations = { set: 1, delete: 2, sum: 3 } as const;
const little64 = 2;

/** A running server. */
export interface KvConnectServer extends AsyncDisposable {
  /** Its URL, of http on this machine. */
  url: string;
}

/** Starts a server without records, and has this process, and what it starts, use its token. */
export async function startKvConnect(): Promise<KvConnectServer> {
  Deno.env.set("DENO_KV_ACCESS_TOKEN", "a token of the tests");
  const program = new URL(import.meta.url).pathname;
  const args = ["run", "-A", "--no-check", "--cached-only", program];
  const child = spawn(Deno.execPath(), args, { stdio: ["ignore", "pipe", "inherit"] });
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout?.once("data", (line) => resolve(String(line).trim()));
    child.once("exit", () => reject(new Error("Cannot start a KV Connect server")));
  });
  return {
    url,
    async [Symbol.asyncDispose]() {
      child.kill();
      await ended;
    },
  };
}

/** Serves records in memory. */
function serve(): void {
  const records = new Map<string, Stored>();
  /** The keys, in their order: a character for each byte. */
  const keys: string[] = [];
  const watchers = new Set<(changed: ReadonlySet<string>) => void>();
  let commits = 0n;

  function place(key: string): number {
    let [low, high] = [0, keys.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((keys[middle] ?? "") < key) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  function put(key: string, stored: Stored | null): void {
    const at = place(key);
    const isThere = keys[at] === key;
    if (stored === null) {
      if (isThere) keys.splice(at, 1);
      records.delete(key);
      return;
    }
    if (!isThere) keys.splice(at, 0, key);
    records.set(key, stored);
  }

  function entryOf(key: string): Bytes | null {
    const stored = records.get(key);
    if (!stored) return null;
    return message((entry) => {
      entry.bytes(1, bytesOf(key));
      entry.bytes(2, stored.value);
      entry.number(3, stored.encoding);
      entry.bytes(4, stored.versionstamp);
    });
  }

  function read(request: Fields): Bytes {
    return message((output) => {
      for (const range of request.messages(1)) {
        const [start, end] = [range.text(1), range.text(2)];
        const found = keys.slice(place(start), place(end));
        if (range.number(4) === 1) found.reverse();
        const entries = found.slice(0, range.number(3)).map((key) =>
          entryOf(key) ?? new Uint8Array()
        );
        output.bytes(1, message((values) => entries.forEach((entry) => values.bytes(1, entry))));
      }
      output.number(4, 1);
      output.number(8, status.readSuccess);
    });
  }

  function write(request: Fields): Bytes {
    const hasFailed = request.messages(1).some((check) => {
      const now = records.get(check.text(1))?.versionstamp;
      return textOf(check.bytes(2)) !== textOf(now ?? new Uint8Array());
    });
    if (hasFailed) return message((output) => output.number(1, status.checkFailure));
    const versionstamp = new Uint8Array(10);
    new DataView(versionstamp.buffer).setBigUint64(0, ++commits);
    const changed = new Set<string>();
    for (const mutation of request.messages(2)) {
      const key = mutation.text(1);
      const [value] = mutation.messages(2);
      const type = mutation.number(3);
      changed.add(key);
      if (type === mutations.delete) put(key, null);
      else if (!value) throw new Error("Cannot write: no value");
      else if (type === mutations.set) {
        put(key, { value: value.bytes(1), encoding: value.number(2), versionstamp });
      } else if (type === mutations.sum && value.number(2) === little64) {
        const sum = numberIn(value.bytes(1)) + numberIn(records.get(key)?.value);
        const bytes = new Uint8Array(8);
        new DataView(bytes.buffer).setBigUint64(0, BigInt.asUintN(64, sum), true);
        put(key, { value: bytes, encoding: little64, versionstamp });
      } else throw new Error(`Cannot write: a mutation of type ${type}`);
    }
    for (const tell of watchers) tell(changed);
    return message((output) => {
      output.number(1, status.writeSuccess);
      output.bytes(2, versionstamp);
    });
  }

  function watch(request: Fields): ReadableStream<Bytes> {
    const watched = request.messages(1).map((key) => key.text(1));
    let tell: (changed: ReadonlySet<string>) => void;
    return new ReadableStream<Bytes>({
      start(controller) {
        tell = (changed) => {
          if (!watched.some((key) => changed.has(key))) return;
          const output = message((output) => {
            output.number(1, status.readSuccess);
            for (const key of watched) {
              output.bytes(
                2,
                message((each) => {
                  const isChanged = changed.has(key);
                  each.number(1, isChanged ? 1 : 0);
                  const entry = isChanged ? entryOf(key) : null;
                  if (entry) each.bytes(2, entry);
                }),
              );
            }
          });
          const frame = new Uint8Array(4 + output.length);
          new DataView(frame.buffer).setUint32(0, output.length, true);
          frame.set(output, 4);
          controller.enqueue(frame);
        };
        watchers.add(tell);
        tell(new Set(watched));
      },
      cancel: () => void watchers.delete(tell),
    });
  }

  async function answer(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url);
    if (pathname === "/") {
      await request.body?.cancel();
      return Response.json({
        version: 3,
        databaseId: "00000000-0000-0000-0000-000000000001",
        endpoints: [{ url: `${url}/v3`, consistency: "strong" }],
        token: "a token of the tests",
        expiresAt: new Date(Date.now() + 3_600_000).toISOString(),
      });
    }
    const asked = new Fields(new Uint8Array(await request.arrayBuffer()));
    const headers = { "content-type": "application/x-protobuf" };
    if (pathname === "/v3/snapshot_read") return new Response(read(asked), { headers });
    if (pathname === "/v3/atomic_write") return new Response(write(asked), { headers });
    if (pathname === "/v3/watch") return new Response(watch(asked), { headers });
    return new Response(null, { status: 404 });
  }

  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: () => {} }, answer);
  const url = `http://127.0.0.1:${server.addr.port}`;
  console.log(url);
}

const textOf = (bytes: Uint8Array) =>
  Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
const bytesOf = (text: string): Bytes => Uint8Array.from(text, (letter) => letter.charCodeAt(0));
const numberIn = (bytes?: Bytes) =>
  bytes ? new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(0, true) : 0n;

/** The fields of a protobuf message. */
class Fields {
  readonly #fields: { number: number; value: number | Bytes }[] = [];

  constructor(bytes: Bytes) {
    const decoder = decoding.createDecoder(bytes);
    while (decoding.hasContent(decoder)) {
      const tag = decoding.readVarUint(decoder);
      const value = (tag & 7) === 2
        ? new Uint8Array(decoding.readVarUint8Array(decoder))
        : decoding.readVarUint(decoder);
      this.#fields.push({ number: tag >> 3, value });
    }
  }

  number(number: number): number {
    const value = this.#of(number)[0];
    return typeof value === "number" ? value : 0;
  }

  bytes(number: number): Bytes {
    const value = this.#of(number)[0];
    return value instanceof Uint8Array ? value : new Uint8Array();
  }

  text(number: number): string {
    return textOf(this.bytes(number));
  }

  messages(number: number): Fields[] {
    return this.#of(number).flatMap((value) => typeof value === "number" ? [] : new Fields(value));
  }

  #of(number: number): (number | Bytes)[] {
    return this.#fields.filter((field) => field.number === number).map(({ value }) => value);
  }
}

/** Writes a protobuf message. */
function message(
  write: (fields: {
    number(number: number, value: number): void;
    bytes(number: number, value: Uint8Array): void;
  }) => void,
): Bytes {
  const encoder = encoding.createEncoder();
  write({
    number(number, value) {
      encoding.writeVarUint(encoder, number << 3);
      encoding.writeVarUint(encoder, value);
    },
    bytes(number, value) {
      encoding.writeVarUint(encoder, number << 3 | 2);
      encoding.writeVarUint8Array(encoder, value);
    },
  });
  return encoding.toUint8Array(encoder) as Bytes;
}

if (import.meta.main) serve();
