import type { Context } from "fresh";
import { escapeXml, xmlDeclaration } from "../../features/dav/xml/write_xml.ts";
import { challengeOf } from "../dav/dav_error.ts";
import type { State } from "../define.ts";
import { statusOf } from "../openapi/statuses.ts";
import { acceptsJson } from "../request/accepts.ts";
import { jsonAnswer } from "../response/answers.ts";
import { logUnexpected, refusalOf, retryAfter } from "../response/error_response.ts";

/** What an answer of the Open Collaboration Services (OCS) may hold. */
export type OcsData =
  | (string | number | boolean | null)
  | readonly OcsData[]
  | { readonly [name: string]: OcsData };

type Asked = Pick<Context<State>, "req" | "url" | "config">;

/** The code of a request that lacks a sign-in. */
const unauthorised = 997;

/** The code of an address that no call has. */
const unknownCall = 998;

/** The versions of OCS, by the first part of the address below `/ocs/`. */
export const ocsVersions = ["v1.php", "v2.php"];

/**
 * Answers a call of OCS, in XML unless the request asks for JSON (`format=json`, or `Accept`).
 * Version 1 has codes of its own: 100 for success.
 */
export function ocsAnswer(ctx: Asked, data: OcsData = []): Response {
  const code = isFirstVersion(ctx) ? 100 : 200;
  return answer(ctx, { status: "ok", code, message: "OK" }, data, { status: 200 });
}

/**
 * Answers a failed call of OCS, and logs the error when it is a fault of the server. Version 1
 * answers HTTP 200 to most refusals. Not to what clients decide by the HTTP status: a missing
 * sign-in, one of too many requests, a wrong method, and faults of the server.
 */
export function ocsError(ctx: Context<State>): Response {
  logUnexpected(ctx);
  const refusal = refusalOf(ctx.error, ctx.req);
  const status = statusOf(refusal.code);
  const isPlain = [401, 405, 429].includes(status) || status >= 500;
  const code = status === 401 ? unauthorised : status;
  return answer(ctx, { status: "failure", code, message: refusal.message }, [], {
    status: isFirstVersion(ctx) && !isPlain ? 200 : status,
    headers: { ...retryAfter(refusal), ...challengeOf(ctx) },
  });
}

/**
 * Answers that an address has no call, which is another answer than that of a call which finds
 * nothing. Clients take it as that of an app that is not installed.
 */
export function unknownCallAnswer(ctx: Asked): Response {
  const message = "Cannot answer the request: no such call";
  const status = isFirstVersion(ctx) ? 200 : 404;
  return answer(ctx, { status: "failure", code: unknownCall, message }, [], { status });
}

function isFirstVersion({ url, config }: Asked): boolean {
  return url.pathname.startsWith(`${config.basePath}/ocs/v1.php`);
}

interface Outcome {
  status: "ok" | "failure";
  code: number;
  message: string;
}

function answer(
  ctx: Asked,
  { status, code: statuscode, message }: Outcome,
  data: OcsData,
  init: ResponseInit,
): Response {
  const meta: Record<string, OcsData> = { status, statuscode, message };
  if (isFirstVersion(ctx)) Object.assign(meta, { totalitems: "", itemsperpage: "" });
  const ocs = { meta, data };
  if (wantsJson(ctx)) return jsonAnswer({ ocs }, init);
  const headers = new Headers(init.headers);
  headers.set("content-type", "application/xml; charset=utf-8");
  return new Response(`${xmlDeclaration}${element("ocs", ocs)}\n`, { ...init, headers });
}

function wantsJson({ req, url }: Asked): boolean {
  const format = url.searchParams.get("format");
  return format === null ? acceptsJson(req) : format === "json";
}

/** A value as an element. True is 1, false and null are empty; an item of a list is an `element`. */
function element(name: string, value: OcsData): string {
  const content = contentOf(value);
  return content === "" ? `<${name}/>` : `<${name}>${content}</${name}>`;
}

function contentOf(value: OcsData): string {
  if (value === null || value === false) return "";
  if (value === true) return "1";
  if (typeof value !== "object") return escapeXml(String(value));
  const items = Array.isArray(value)
    ? value.map((item) => ["element", item])
    : Object.entries(value);
  return items.map(([name, item]) => element(name, item)).join("");
}
