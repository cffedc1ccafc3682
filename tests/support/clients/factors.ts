import assert from "node:assert/strict";
import { TOTP } from "otpauth";
import type { RecoveryCodes, TotpSetup } from "../../../lib/shared/schemas/factors.ts";
import { type TestApp, userPassword } from "../server/app.ts";

let lastAddress = 0;

/** What the helpers make calls on. */
type Calling = Pick<TestApp, "call">;

/** A user with an authenticator app and recovery codes. */
export interface Enrolled {
  username: string;
  /** Of the session that went on. */
  token: string;
  secret: string;
  recoveryCodes: string[];
}

/** The code that an authenticator app shows so many time steps of 30 seconds from now. */
export function codeOf(secret: string, steps = 0): string {
  return new TOTP({ secret }).generate({ timestamp: Date.now() + steps * 30_000 });
}

/** A code of six digits that the app shows neither now nor soon. */
export function wrongCode(secret: string): string {
  const near = [-2, -1, 0, 1, 2, 3].map((steps) => codeOf(secret, steps));
  return ["000000", "111111", "222222", "333333", "444444", "555555", "666666"]
    .find((code) => !near.includes(code)) ?? "";
}

/** Calls from an address of their own, each time: the throttle counts by address as well. */
export function elsewhere(app: TestApp): Pick<TestApp, "call" | "addUser"> {
  const from = `192.0.2.${++lastAddress}`;
  return {
    addUser: app.addUser,
    call: (method, path, { headers, ...options } = {}) =>
      app.call(method, path, { ...options, headers: { "x-forwarded-for": from, ...headers } }),
  };
}

/** Begins to set up an authenticator app. */
export async function beginTotp(app: Calling, token: string): Promise<TotpSetup> {
  const answer = await app.call("POST", "/api/factors/totp", { token });
  assert.equal(answer.status, 200);
  return await answer.json();
}

/** Makes a user with an authenticator app, through the calls that the pages make. */
export async function enrol(
  app: Calling & Pick<TestApp, "addUser">,
  username: string,
  password = userPassword,
): Promise<Enrolled> {
  const { token } = await app.addUser(username);
  const { setup, secret } = await beginTotp(app, token);
  const json = { setup, app_code: codeOf(secret), current_password: password };
  const answer = await app.call("PUT", "/api/factors/totp", { token, json });
  const body = await answer.text();
  assert.equal(answer.status, 200, body);
  const codes: RecoveryCodes = JSON.parse(body);
  return { username, secret, token: codes.token ?? "", recoveryCodes: codes.recoveryCodes };
}

/** Signs in with a name and a password, and a code unless it is left out. */
export function signIn(
  app: Calling,
  username: string,
  code?: string,
  password = userPassword,
): Promise<Response> {
  return app.call("POST", "/api/login", { json: { username, password, code } });
}
