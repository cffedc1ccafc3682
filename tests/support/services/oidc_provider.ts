/** A real provider of OpenID Connect (npm's oidc-provider) on a free port of this machine. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
// @ts-types="./oidc_provider.d.ts"
import Provider, { type ProviderContext } from "oidc-provider";
import { exportJWK, generateKeyPair } from "jose";
import type { OidcProvider } from "../../../lib/server/core/config/oidc_options.ts";

/** A running provider. */
export interface TestProvider extends AsyncDisposable {
  /** For the configuration of the application. */
  config: OidcProvider;
  /** The accounts by their subjects, and what is claimed of each. */
  accounts: Map<string, Record<string, unknown>>;
  /** The account that signs in next, as if its holder had typed its password; null refuses. */
  holder: string | null;
  /** The questions that were put to it, oldest first. */
  asked: URL[];
  close(): Promise<void>;
}

/**
 * Starts a provider that signs its visitors in without a question.
 *
 * The applications that may send visitors are the one in process, `http://cubby.test`, and those on
 * any port of 127.0.0.1.
 */
export async function startProvider(): Promise<TestProvider> {
  const { privateKey } = await generateKeyPair("RS256", { extractable: true });
  const jwk = { ...await exportJWK(privateKey), alg: "RS256", use: "sig", kid: "one" };
  const [clientId, clientSecret] = ["cubby", "a secret of two: / +"];
  const accounts: TestProvider["accounts"] = new Map();
  const asked: URL[] = [];
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider = new Provider(issuer, {
    clients: [{
      client_id: clientId,
      client_secret: clientSecret,
      redirect_uris: ["http://cubby.test/login/oidc/callback"],
    }],
    jwks: { keys: [jwk] },
    cookies: { keys: ["a key of the provider's cookies"] },
    claims: {
      openid: ["sub"],
      profile: ["preferred_username", "name"],
      email: ["email", "email_verified"],
      groups: ["groups"],
    },
    scopes: ["openid", "profile", "email", "groups"],
    features: {
      devInteractions: { enabled: false },
      rpInitiatedLogout: { enabled: true, logoutSource },
    },
    interactions: { url: (_: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    pkce: { required: () => true },
    findAccount: (_: unknown, sub: string) => {
      const claims = accounts.get(sub);
      return claims && { accountId: sub, claims: () => ({ sub, ...claims }) };
    },
    async loadExistingGrant({ oidc: { client, session } }: ProviderContext) {
      const grant = new provider.Grant({
        clientId: client.clientId,
        accountId: session.accountId,
      });
      grant.addOIDCScope("openid profile email groups");
      await grant.save();
      return grant;
    },
  });
  const ours = String.raw`^http://(cubby\.test|127\.0\.0\.1:\d+)/login`;
  const { prototype } = provider.Client;
  prototype.redirectUriAllowed = (uri) => new RegExp(`${ours}/oidc/callback$`).test(uri);
  prototype.postLogoutRedirectUriAllowed = (uri) => new RegExp(`${ours}$`).test(uri);
  const callback = provider.callback();

  async function answer(...call: Parameters<typeof callback>): Promise<void> {
    const [request, response] = call;
    const url = new URL(request.url ?? "/", issuer);
    // A browser asks for it once a page has been shown for long enough.
    if (url.pathname === "/favicon.ico") return void response.writeHead(204).end();
    if (url.pathname === "/auth") asked.push(url);
    if (!url.pathname.startsWith("/interaction/")) return callback(request, response);
    const refusal = { error: "access_denied", error_description: "The visitor went away" };
    const result = test.holder === null
      ? refusal
      : { login: { accountId: test.holder, remember: false } };
    await provider.interactionFinished(request, response, result);
  }

  async function close(): Promise<void> {
    server.closeAllConnections();
    await new Promise<void>((closed) => server.close(() => closed()));
  }

  const test: TestProvider = {
    config: {
      ...{
        issuer,
        clientId,
        clientSecret,
        scopes: "openid profile email groups",
        name: "Otter ID",
      },
      ...{ usernameClaim: "preferred_username", groupsClaim: "groups" },
      ...{ createUsers: false, linkUsers: false, only: false, logout: false },
    },
    ...{ accounts, asked, holder: null, close },
    [Symbol.asyncDispose]: close,
  };
  return test;
}

/** A page without the fonts of another server. */
function logoutSource(ctx: { body: string }, form: string): void {
  const button = '<button form="op.logoutForm" name="logout" value="yes">Yes, sign me out</button>';
  ctx.body = `<!DOCTYPE html><html lang="en"><title>Sign out</title>${form}${button}</html>`;
}
