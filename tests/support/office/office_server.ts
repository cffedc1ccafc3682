/** An office server for tests: it describes itself, signs, and speaks WOPI to a document. */
import type { OpenedDocument } from "../../../lib/shared/schemas/office.ts";
import type { CallOptions, TestApp } from "../server/app.ts";

/** An extension for which the fixture has editors. */
const extensions = ["docx", "xlsx", "pptx", "odt", "ods", "odp", "txt"];

const algorithm = {
  name: "RSASSA-PKCS1-v1_5",
  hash: "SHA-256",
  modulusLength: 2048,
  publicExponent: new Uint8Array([1, 0, 1]),
};

/** An office server on this machine. */
export interface OfficeServer extends AsyncDisposable {
  url: string;
  /** How often the description was asked for. */
  asked(): number;
  /** Answers the next questions for the description in another way; null for the usual one. */
  answer(reply: (() => Response) | null): void;
  /** Replaces the keys; the present one is then the former one. */
  rotate(): Promise<void>;
  /** Signs from now on, and describes its keys; or neither. */
  sign(isSigning: boolean): void;
  /** What it would sign a request with. */
  proofOf(token: string, address: string, time?: number): Promise<Record<string, string>>;
  /** The description. */
  description(): Promise<string>;
}

/** Starts an office server. */
export async function startOfficeServer(): Promise<OfficeServer> {
  let keys = [await newKey(), await newKey()] as const;
  let isSigning = true;
  let asked = 0;
  let reply: (() => Response) | null = null;
  const server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen: () => {} },
    async (req) => {
      if (new URL(req.url).pathname !== "/hosting/discovery") {
        return new Response(null, { status: 404 });
      }
      asked++;
      return reply?.() ?? new Response(await description());
    },
  );
  const url = `http://127.0.0.1:${server.addr.port}`;

  async function description(): Promise<string> {
    const actions = extensions.map((ext) =>
      `<app name="${ext}"><action name="edit" ext="${ext}" default="true" ` +
      `urlsrc="${url}/editor/${ext}?&lt;ui=UI_LLCC&amp;&gt;&lt;hid=HOST_SESSION_ID&amp;&gt;"/>` +
      `<action name="view" ext="${ext}" urlsrc="${url}/viewer/${ext}?"/></app>`
    );
    const [present, former] = await Promise.all(keys.map(partsOf));
    const proof = isSigning && present && former
      ? `<proof-key value="x" oldvalue="y" modulus="${present.n}" exponent="${present.e}" ` +
        `oldmodulus="${former.n}" oldexponent="${former.e}"/>`
      : "";
    return `<?xml version="1.0" encoding="utf-8"?><wopi-discovery><net-zone name="external-http">` +
      `${actions.join("")}</net-zone>${proof}</wopi-discovery>`;
  }

  return {
    url,
    asked: () => asked,
    answer: (next) => void (reply = next),
    async rotate() {
      keys = [await newKey(), keys[0]];
    },
    sign: (signs) => void (isSigning = signs),
    description,
    async proofOf(token, address, time = Date.now()) {
      if (!isSigning) return {} as Record<string, string>;
      const ticks = (BigInt(time) + 62_135_596_800_000n) * 10_000n;
      const bytes = signedBytes(token, address, ticks);
      const [proof, old] = await Promise.all(keys.map(async ({ privateKey }) => {
        const signature = await crypto.subtle.sign(algorithm.name, privateKey, bytes);
        return new Uint8Array(signature).toBase64();
      }));
      return {
        "x-wopi-timestamp": String(ticks),
        "x-wopi-proof": proof ?? "",
        "x-wopi-proofold": old ?? "",
      };
    },
    async [Symbol.asyncDispose]() {
      await server.shutdown();
    },
  };
}

function newKey(): Promise<CryptoKeyPair> {
  return crypto.subtle.generateKey(algorithm, true, ["sign", "verify"]) as Promise<CryptoKeyPair>;
}

/** The numbers of a public key, in base64 as the description has them. */
async function partsOf({ publicKey }: CryptoKeyPair): Promise<{ n: string; e: string }> {
  const { n = "", e = "" } = await crypto.subtle.exportKey("jwk", publicKey);
  const plain = (text: string) => Uint8Array.fromBase64(text, { alphabet: "base64url" }).toBase64();
  return { n: plain(n), e: plain(e) };
}

/** As [MS-WOPI] has it: the lengths are in front, in four bytes with the highest first. */
function signedBytes(token: string, address: string, ticks: bigint): Uint8Array<ArrayBuffer> {
  const encoder = new TextEncoder();
  const hex = ticks.toString(16).padStart(16, "0");
  const parts = [
    encoder.encode(token),
    encoder.encode(address.toUpperCase()),
    Uint8Array.fromHex(hex),
  ];
  const length = (part: Uint8Array) =>
    Uint8Array.fromHex(part.length.toString(16).padStart(8, "0"));
  return Uint8Array.from(parts.flatMap((part) => [...length(part), ...part]));
}

/** A request of an editor: the header `X-WOPI-Override`, the lock, and whatever else. */
export interface EditorRequest extends CallOptions {
  override?: string;
  lock?: string;
  /** The token; that of the document unless given. */
  accessToken?: string;
  /** The time of the signature. */
  time?: number;
  /** Signs with these headers in place of its own. */
  proof?: Record<string, string>;
}

/** A document that is open in an editor. */
export interface OpenEditor extends OpenedDocument {
  /** The address of the document on the server. */
  path: string;
  info(request?: EditorRequest): Promise<Response>;
  read(request?: EditorRequest): Promise<Response>;
  save(body: BodyInit, request?: EditorRequest): Promise<Response>;
  operate(override: string, request?: EditorRequest): Promise<Response>;
}

/** Opens documents as the page around an editor does, and lets the office server work on them. */
export function editorsOf(app: Pick<TestApp, "call">, office: OfficeServer) {
  /** An editor with what the server has answered. */
  function editorOf(opened: OpenedDocument): OpenEditor {
    const source = new URL(new URL(opened.address).searchParams.get("WOPISrc") ?? "");
    const ask = async (method: string, rest: string, request: EditorRequest = {}) => {
      const { override, lock, accessToken = opened.token, time, proof, headers, ...more } = request;
      const path = `${source.pathname}${rest}?access_token=${encodeURIComponent(accessToken)}`;
      const signed = proof ?? await office.proofOf(accessToken, source.origin + path, time);
      return await app.call(method, path, {
        ...more,
        headers: {
          ...signed,
          ...override !== undefined && { "x-wopi-override": override },
          ...lock !== undefined && { "x-wopi-lock": lock },
          ...headers,
        },
      });
    };
    return {
      ...opened,
      path: source.pathname,
      info: (request) => ask("GET", "", request),
      read: (request) => ask("GET", "/contents", request),
      save: (body, request) => ask("POST", "/contents", { override: "PUT", ...request, body }),
      operate: (override, request) => ask("POST", "", { override, ...request }),
    };
  }

  /** Opens a file. @param call the call with its query */
  async function open(path: string, token?: string, call = "/api/office"): Promise<OpenEditor> {
    const answer = await app.call("POST", `${call}${path}`, { token });
    if (answer.status !== 200) throw new Error(`${answer.status} ${await answer.text()}`);
    return editorOf(await answer.json());
  }

  return { open, editorOf };
}
