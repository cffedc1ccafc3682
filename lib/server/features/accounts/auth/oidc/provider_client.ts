import type { ClientAuth, Configuration, CustomFetchOptions, ServerMetadata } from "openid-client";
import { DomainError } from "../../../../../shared/errors.ts";
import { hourMs } from "../../../../../shared/time.ts";
import type { OidcProvider } from "../../../../core/config/oidc_options.ts";
import { claimAt, type Claims } from "./claims.ts";
import type { PendingSignIn } from "./pending_sign_ins.ts";

/** Timeout of one call to the provider, in seconds. */
const timeoutSeconds = 10;

/** The longest answer of a provider, in bytes. */
const maxAnswerBytes = 2 ** 20;

/** How long the description of a provider is used, in milliseconds: its endpoints may move. */
const descriptionMs = hourMs;

/** The longest subject, in characters (OpenID Connect Core, 2). */
const maxSubjectLength = 255;

type Library = typeof import("openid-client");

/** The parameters that a visitor takes to the provider. */
export interface Question extends Pick<PendingSignIn, "nonce" | "verifier" | "redirectUri"> {
  state: string;
  /** Has the provider ask for a proof even if it knows the visitor already. */
  again: boolean;
}

/** An account that the provider vouches for. */
export interface ProviderAccount {
  issuer: string;
  subject: string;
  /** Of the ID token and, where that says too little, of the user info. */
  claims: Claims;
  /** The ID token itself, for signing out. */
  idToken: string;
}

/**
 * This server as a client of one provider of OpenID Connect: the authorization code flow with PKCE.
 * The library is loaded, and the provider asked for its description, when the first visitor comes.
 */
export class ProviderClient {
  readonly #provider: OidcProvider;
  #known: { until: number; configuration: Promise<Configuration> } | null = null;

  constructor(provider: OidcProvider) {
    this.#provider = provider;
  }

  /**
   * The address at the provider that a visitor is sent to.
   *
   * @throws DomainError `busy` while the provider is away
   */
  async addressOf({ state, nonce, verifier, redirectUri, again }: Question): Promise<string> {
    const { library, configuration } = await this.#open();
    return library.buildAuthorizationUrl(configuration, {
      redirect_uri: redirectUri,
      response_type: "code",
      scope: this.#provider.scopes,
      code_challenge: await library.calculatePKCECodeChallenge(verifier),
      code_challenge_method: "S256",
      ...{ state, nonce },
      ...again ? { prompt: "login", max_age: "0" } : {},
    }).href;
  }

  /**
   * Exchanges what the provider has sent the visitor back with for the account. The library checks
   * the issuer of the answer (RFC 9207, mix-up) and of the ID token, its audience, its times, its
   * nonce and, against the provider's keys, its signature.
   *
   * @param query of the visitor's address
   * @throws DomainError `wrong_credentials` for an answer that proves nothing; `busy` while the
   * provider is away
   */
  async exchange(
    query: string,
    state: string,
    { nonce, verifier, redirectUri }: PendingSignIn,
  ): Promise<ProviderAccount> {
    const { library, configuration } = await this.#open();
    try {
      const tokens = await library.authorizationCodeGrant(
        configuration,
        new URL(redirectUri + query),
        { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier },
      );
      const claims = tokens.claims();
      if (!claims || tokens.id_token === undefined) throw new Error("there is no ID token");
      if (claims.sub.length > maxSubjectLength) throw new Error("its subject is too long");
      const info = this.#says(claims) || !configuration.serverMetadata().userinfo_endpoint
        ? {}
        : await library.fetchUserInfo(configuration, tokens.access_token, claims.sub);
      return {
        issuer: claims.iss,
        subject: claims.sub,
        claims: { ...info, ...claims },
        idToken: tokens.id_token,
      };
    } catch (error) {
      throw awayIn(error) ?? new DomainError(
        "wrong_credentials",
        `Cannot sign in by this account: ${reasonOf(error)}`,
      );
    }
  }

  /**
   * The address at the provider where its own session ends; null when it has none.
   *
   * @param idToken says whose session; without it the provider asks
   * @throws DomainError `busy` while the provider is away
   */
  async endAddress(idToken: string | undefined, returnTo: string): Promise<string | null> {
    const { library, configuration } = await this.#open();
    if (!configuration.serverMetadata().end_session_endpoint) return null;
    return library.buildEndSessionUrl(configuration, {
      post_logout_redirect_uri: returnTo,
      ...idToken === undefined ? {} : { id_token_hint: idToken },
    }).href;
  }

  /** Whether the claims of an ID token have all that is asked of them. */
  #says(claims: Claims): boolean {
    const { usernameClaim, groupsClaim, groups } = this.#provider;
    const wanted = groups ? [usernameClaim, groupsClaim] : [usernameClaim];
    return wanted.every((claim) => claimAt(claims, claim) !== undefined);
  }

  async #open(): Promise<{ library: Library; configuration: Configuration }> {
    const library = await import("openid-client");
    if (!this.#known || this.#known.until <= Date.now()) {
      const known = { until: Date.now() + descriptionMs, configuration: this.#discover(library) };
      this.#known = known;
      known.configuration.catch(() => {
        if (this.#known === known) this.#known = null;
      });
    }
    return { library, configuration: await this.#known.configuration };
  }

  async #discover(library: Library): Promise<Configuration> {
    const { issuer, clientId, clientSecret } = this.#provider;
    const server = new URL(issuer);
    const execute = [library.enableNonRepudiationChecks];
    // The address was checked: plain http leads to this machine alone.
    if (server.protocol === "http:") execute.push(library.allowInsecureRequests);
    try {
      const found = await library.discovery(server, clientId, undefined, library.None(), {
        [library.customFetch]: (url, options) => this.#fetch(url, options),
        timeout: timeoutSeconds,
        execute,
      });
      const metadata = found.serverMetadata();
      const proof = clientProof(library, metadata, clientSecret);
      const configuration = new library.Configuration(metadata, clientId, undefined, proof);
      configuration[library.customFetch] = (url, options) => this.#fetch(url, options);
      configuration.timeout = timeoutSeconds;
      for (const prepare of execute) prepare(configuration);
      return configuration;
    } catch (error) {
      throw awayIn(error) ?? providerAwayError(reasonOf(error));
    }
  }

  /** A call to the provider, of bounded time and length. */
  async #fetch(url: string, { body, ...options }: CustomFetchOptions): Promise<Response> {
    const { ca } = this.#provider;
    using client = Deno.createHttpClient({
      caCerts: ca === undefined ? [] : [ca],
      poolMaxIdlePerHost: 0,
    });
    try {
      const init: RequestInit & { client: Deno.HttpClient } = {
        ...options,
        body: body as BodyInit | null,
        client,
      };
      const answer = await fetch(url, init);
      if (answer.status >= 500) {
        await answer.body?.cancel();
        throw new Error(`it answers with the status ${answer.status}`);
      }
      const { status, headers } = answer;
      return new Response(await readBounded(answer), { status, headers });
    } catch (error) {
      throw providerAwayError(reasonOf(error));
    }
  }
}

/** How the client proves to be it: as the provider takes it, and by default in a header. */
function clientProof(
  library: Library,
  { token_endpoint_auth_methods_supported: methods }: ServerMetadata,
  secret: string | undefined,
): ClientAuth {
  if (secret === undefined) return library.None();
  const isPosted = methods !== undefined && !methods.includes("client_secret_basic");
  return isPosted ? library.ClientSecretPost(secret) : library.ClientSecretBasic(secret);
}

async function readBounded(answer: Response): Promise<BodyInit | null> {
  if (answer.body === null) return null;
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  for await (const part of answer.body) {
    length += part.length;
    if (length > maxAnswerBytes) throw new Error("its answer is too long");
    parts.push(part);
  }
  return new Blob(parts);
}

function providerAwayError(reason: string): DomainError {
  return new DomainError("busy", `Cannot reach the sign-in provider: ${reason}`);
}

/** The refusal of our own `fetch` that an error of the library is about. */
function awayIn(error: unknown): DomainError | null {
  if (error instanceof DomainError) return error;
  return error instanceof Error && error.cause !== undefined ? awayIn(error.cause) : null;
}

/** The message of an error, and that of its cause: the library's own say little. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause instanceof Error ? ` (${error.cause.message})` : "";
  return error.message + cause;
}
