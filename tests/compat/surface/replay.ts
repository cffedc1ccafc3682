/** Makes the calls of the surface to a server, and keeps of each answer what clients can notice. */
import assert from "node:assert/strict";
import { nameOfCall, type SurfaceCall } from "./calls.ts";

/** An answer. */
export interface Answer {
  status: number;
  /** The headers that clients of File Browser read. */
  headers: Record<string, string>;
  /** JSON, a text, or the length of other bytes. */
  body: unknown;
}

const keptHeaders = [
  ...["content-type", "content-disposition", "location", "x-renew-token"],
  ...["upload-offset", "upload-length", "content-range", "www-authenticate", "etag"],
  ...["last-modified", "accept-ranges", "cache-control", "x-content-type-options"],
];

/** The longest text that is kept. */
const maxText = 2_000;

/** Makes the calls one after another, as one client. @returns the answers by the calls' names */
export async function replaySurface(
  url: string,
  calls: readonly SurfaceCall[],
): Promise<Map<string, Answer>> {
  const known = new Map<string, string>([["bad", "a.b.c"]]);
  const fill = (text: string) =>
    text.replace(/\{(\w+)\}/g, (_, name: string) => {
      const at = /^(\w+)Id$/.exec(name)?.[1];
      const value = known.get(name) ?? idOf(at && known.get(at));
      assert.ok(value !== undefined, `${name} is not known`);
      return value;
    });
  const answers = new Map<string, Answer>();
  for (const call of calls) {
    const name = nameOfCall(call);
    assert.ok(!answers.has(name), `Two calls are named "${name}"`);
    answers.set(name, await make(url, call, { known, fill }));
  }
  return answers;
}

interface Client {
  known: Map<string, string>;
  fill(text: string): string;
}

async function make(url: string, call: SurfaceCall, { known, fill }: Client): Promise<Answer> {
  const [method = "", path = ""] = fill(call.sends).split(" ");
  const as = call.as ?? "admin";
  const headers = new Headers();
  if (as !== "") headers.set("x-auth", fill(`{${as}}`));
  if (call.json !== undefined) headers.set("content-type", "application/json");
  for (const [name, value] of Object.entries(call.headers ?? {})) headers.set(name, fill(value));
  const body = bodyOf(call, known, fill);
  const answer = await fetch(url + path, { method, headers, body, redirect: "manual" });
  const bytes = await answer.bytes();
  const kept = keptHeaders.flatMap((name) => {
    const value = answer.headers.get(name);
    return value === null ? [] : [[name, value.replace(url, "")] as const];
  });
  const read = readBody(bytes, answer.headers.get("content-type") ?? "");
  keep(call, answer, read, known);
  return { status: answer.status, headers: Object.fromEntries(kept), body: read };
}

/** The settings are sent as they were read, with a change, as File Browser's page does. */
function bodyOf(
  { json, body, sends }: SurfaceCall,
  known: Map<string, string>,
  fill: Client["fill"],
): string | undefined {
  if (json === undefined) return body;
  if (!sends.startsWith("PUT /api/settings")) {
    return JSON.stringify(json).replace(/"(\{\w+Id\})"/g, (_, id: string) => fill(id));
  }
  const { settings } = json as { settings: object };
  return JSON.stringify({ ...JSON.parse(known.get("settings") ?? "{}"), ...settings });
}

function readBody(bytes: Uint8Array, type: string): unknown {
  const text = new TextDecoder().decode(bytes);
  if (/^application\/json/.test(type)) {
    try {
      return JSON.parse(text);
    } catch {
      return text;
    }
  }
  const isText = !/[\0\ufffd]/.test(text) && text.length < maxText;
  return isText ? text : { bytes: bytes.length };
}

function keep(
  { keeps, sends }: SurfaceCall,
  answer: Response,
  body: unknown,
  known: Map<string, string>,
): void {
  if (!keeps || !answer.ok) return;
  const { name, member, header } = keeps;
  const value = header !== undefined
    ? answer.headers.get(header)
    : member !== undefined
    ? (body as Record<string, unknown>)[member]
    : typeof body === "string"
    ? body.trim()
    : JSON.stringify(body);
  assert.equal(typeof value, "string", `${sends}: there is no ${member ?? header ?? "text"}`);
  known.set(name, String(value));
  // `/settings/users/2`
  const user = /\/settings\/users\/(\d+)$/.exec(String(value));
  if (user) known.set(name.replace(/At$/, "Id"), user[1] ?? "");
}

/** The id of the user to whom a token belongs. */
function idOf(token: string | undefined): string | undefined {
  const claims = token?.split(".")[1];
  if (claims === undefined) return undefined;
  const text = atob(claims.replaceAll("-", "+").replaceAll("_", "/"));
  return String(JSON.parse(text).user?.id ?? "") || undefined;
}
