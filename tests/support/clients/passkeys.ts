import assert from "node:assert/strict";
import type { RecoveryCodes } from "../../../lib/shared/schemas/factors.ts";
import type {
  PasskeyAnswer,
  PasskeyCreation,
  PasskeyQuestion,
} from "../../../lib/shared/schemas/passkeys.ts";
import { startApp, type TestApp, userPassword } from "../server/app.ts";
import { SoftAuthenticator } from "./authenticator.ts";
import { elsewhere } from "./factors.ts";

/** What the helpers make calls on. */
type Calling = Pick<TestApp, "call" | "addUser">;

/** The origin under which {@linkcode behindProxy} calls. */
const passkeyOrigin = "https://cubby.test";

/**
 * Calls from an address of their own, each time, as a proxy of that origin sends them on. The
 * application has to trust 127.0.0.1.
 */
function behindProxy(app: TestApp, origin = passkeyOrigin): Calling {
  const { protocol, host } = new URL(origin);
  const from = {
    "x-forwarded-proto": protocol.slice(0, -1),
    "x-forwarded-host": host,
  };
  const { call, addUser } = elsewhere(app);
  return {
    addUser,
    call: (method, path, { headers, ...options } = {}) =>
      call(method, path, { ...options, headers: { ...from, ...headers } }),
  };
}

/** An application behind a proxy, for all tests of a file, and names for its users. */
export async function startPasskeyApp() {
  const server = await startApp({ config: { trustedProxies: ["127.0.0.1"] } });
  Deno.test.afterAll(server.close);
  let count = 0;
  return {
    server,
    passkeyOrigin,
    behindProxy: (origin?: string) => behindProxy(server, origin),
    name: () => `passkey user ${++count}`,
  };
}

/** Begins to set up a passkey, by the password and what else proves it. */
export async function beginPasskey(
  app: Calling,
  token: string,
  proof: Record<string, unknown> = {},
): Promise<PasskeyCreation> {
  const json = { current_password: userPassword, ...proof };
  return await jsonOf(await app.call("POST", "/api/factors/passkeys", { token, json }));
}

/** Sets up a passkey; the token is that of the session that goes on. */
export async function addPasskey(
  app: Calling,
  token: string,
  authenticator: SoftAuthenticator,
  proof: Record<string, unknown> = {},
): Promise<Required<RecoveryCodes>> {
  const credential = authenticator.create(await beginPasskey(app, token, proof));
  const json = { name: "phone", credential };
  return await jsonOf(await app.call("PUT", "/api/factors/passkeys", { token, json }));
}

/** Makes a user with a passkey in an authenticator of its own. */
export async function enrolPasskey(app: Calling, username: string, counts = true) {
  const authenticator = new SoftAuthenticator(passkeyOrigin, counts);
  const { token } = await app.addUser(username);
  const added = await addPasskey(app, token, authenticator);
  return { username, authenticator, ...added };
}

/** A question that a passkey may answer. */
export async function askPasskey(app: Calling): Promise<PasskeyQuestion> {
  return await jsonOf(await app.call("POST", "/api/login/passkey"));
}

/** Signs in by a passkey alone. */
export function signInByPasskey(app: Calling, answer: PasskeyAnswer): Promise<Response> {
  return app.call("PUT", "/api/login/passkey", { json: answer });
}

async function jsonOf<T>(answer: Response): Promise<T> {
  const body = await answer.text();
  assert.equal(answer.status, 200, body);
  return JSON.parse(body);
}
