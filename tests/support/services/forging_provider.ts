/** A provider of OpenID Connect that says whatever a test wants, on a free port of this machine. */
import { exportJWK, generateKeyPair, SignJWT } from "jose";
import type { OidcProvider } from "../../../lib/server/core/config/oidc_options.ts";

/** A running provider. */
export interface ForgingProvider extends AsyncDisposable {
  /** For the configuration of the application. */
  config: OidcProvider;
  /** The claims of the next ID token; `undefined` leaves one out. */
  claims: Record<string, unknown>;
  /** Makes the ID token in place of an honest one. */
  forge?: (claims: Record<string, unknown>) => string | Promise<string>;
  /** The members of its description that are otherwise. */
  description: Record<string, unknown>;
  /** What the user info says. */
  info: Record<string, unknown>;
  /** Answers the exchange of the code in place of an ID token. */
  instead?: () => Response;
  /** The calls that it got at its endpoint for tokens: the fields of each form. */
  exchanged: Record<string, string>[];
  /** The address that an honest provider would send the visitor back to. */
  wayBack(from: string): string;
  close(): Promise<void>;
}

/** Starts a provider. Its codes are the nonces that it was told, so that it repeats them. */
export async function startForgingProvider(): Promise<ForgingProvider> {
  const { privateKey, publicKey } = await generateKeyPair("RS256");
  const jwk = { ...await exportJWK(publicKey), alg: "RS256", use: "sig", kid: "one" };
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, answer);
  const issuer = `http://127.0.0.1:${server.addr.port}`;

  async function answer(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url);
    switch (pathname) {
      case "/.well-known/openid-configuration":
        return Response.json({
          issuer,
          authorization_endpoint: `${issuer}/auth`,
          token_endpoint: `${issuer}/token`,
          userinfo_endpoint: `${issuer}/info`,
          jwks_uri: `${issuer}/keys`,
          response_types_supported: ["code"],
          subject_types_supported: ["public"],
          id_token_signing_alg_values_supported: ["RS256"],
          ...test.description,
        });
      case "/keys":
        return Response.json({ keys: [jwk] });
      case "/info":
        return Response.json(test.info);
      case "/token":
        return await exchange(Object.fromEntries(new URLSearchParams(await request.text())));
      default:
        return new Response(null, { status: 404 });
    }
  }

  async function exchange(form: Record<string, string>): Promise<Response> {
    test.exchanged.push(form);
    if (test.instead) return test.instead();
    const now = Math.floor(Date.now() / 1000);
    const honest = { iss: issuer, aud: "cubby", sub: "a1", nonce: form.code, iat: now };
    const claims = { ...honest, exp: now + 60, preferred_username: "anna", ...test.claims };
    const header = { alg: "RS256", kid: "one" };
    const idToken = test.forge
      ? await test.forge(claims)
      : await new SignJWT(claims).setProtectedHeader(header).sign(privateKey);
    return Response.json({ access_token: "open", token_type: "Bearer", id_token: idToken });
  }

  const test: ForgingProvider = {
    config: {
      ...{ issuer, clientId: "cubby", scopes: "openid", name: "Otter ID" },
      ...{ usernameClaim: "preferred_username", groupsClaim: "groups" },
      ...{ createUsers: true, linkUsers: false, only: false, logout: false },
    },
    ...{ claims: {}, description: {}, info: { sub: "a1" }, exchanged: [] },
    wayBack(from) {
      const asked = new URL(from).searchParams;
      const back = new URL(asked.get("redirect_uri") ?? "");
      back.searchParams.set("state", asked.get("state") ?? "");
      back.searchParams.set("code", asked.get("nonce") ?? "");
      return back.href;
    },
    close: () => server.shutdown(),
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
  return test;
}
