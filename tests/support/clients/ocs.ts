/** Calls of the Open Collaboration Services, as sync clients make them. */
import assert from "node:assert/strict";
import type { CallOptions, TestApp } from "../server/app.ts";

/** The answer of a call in JSON. */
export interface OcsAnswer {
  status: number;
  headers: Headers;
  meta: { status: string; statuscode: number; message: string };
  // deno-lint-ignore no-explicit-any -- each call has data of its own
  data: any;
}

/**
 * Makes a call of OCS, with the header that clients send.
 *
 * @param path below `/ocs/`
 * @param authorization "" for none
 */
export async function ocs(
  app: TestApp,
  method: string,
  path: string,
  authorization = "",
  { headers, ...options }: CallOptions = {},
): Promise<OcsAnswer> {
  const answer = await app.call(method, `/ocs/${path}`, {
    ...options,
    headers: {
      "ocs-apirequest": "true",
      ...authorization === "" ? {} : { authorization },
      ...headers,
    },
  });
  const text = await answer.text();
  assert.match(answer.headers.get("content-type") ?? "", /^application\/json/, text);
  const { meta, data } = JSON.parse(text).ocs;
  return { status: answer.status, headers: answer.headers, meta, data };
}

/** A client that waits for its user. */
export interface WaitingClient {
  /** The last part of the link. */
  flow: string;
  /** The path of the link. */
  page: string;
  /** Asks for the result once. */
  poll(): Promise<Response>;
}

/** Begins the sign-in of a client. @param options such as another address */
export async function beginFlow(
  app: TestApp,
  agent = "Mozilla/5.0 (Macintosh) mirall/3.16.4 (Nextcloud, osx-24.5.0)",
  options: CallOptions = {},
): Promise<WaitingClient> {
  const headers = { "user-agent": agent };
  const answer = await app.call("POST", "/index.php/login/v2", { ...options, headers });
  assert.equal(answer.status, 200, await answer.clone().text());
  const { poll: { token, endpoint }, login } = await answer.json();
  const page = new URL(login).pathname;
  return {
    flow: page.split("/").at(-1) ?? "",
    page,
    poll: () =>
      app.call("POST", new URL(endpoint).pathname, { body: new URLSearchParams({ token }) }),
  };
}
