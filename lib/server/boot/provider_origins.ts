import type { OidcProvider } from "../core/config/config.ts";

/** Timeout of the provider, in milliseconds. */
const timeoutMs = 5_000;

/** The longest description that is read, in characters. */
const maxDescriptionLength = 200_000;

/** The members of a provider's description (OpenID Connect Discovery, 3) that the server asks. */
const askedEndpoints = ["token_endpoint", "userinfo_endpoint", "jwks_uri"] as const;

/**
 * The origins of a provider that the server has to reach, which may differ from its issuer's. They
 * are looked up before the server has lost the right to connect anywhere; without an answer the
 * issuer's own must do.
 *
 * @param note takes a sentence for the log
 */
export async function findProviderOrigins(
  { issuer, ca }: OidcProvider,
  note: (sentence: string) => void,
): Promise<string[]> {
  using client = Deno.createHttpClient({ caCerts: ca === undefined ? [] : [ca] });
  try {
    const url = `${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`;
    const signal = AbortSignal.timeout(timeoutMs);
    const init: RequestInit & { client: Deno.HttpClient } = { client, signal, redirect: "manual" };
    const answer = await fetch(url, init);
    const text = await answer.text();
    if (answer.status !== 200 || text.length > maxDescriptionLength) {
      throw new Error(`it answers with the status ${answer.status}`);
    }
    const description: Record<string, unknown> = JSON.parse(text);
    return [...new Set(askedEndpoints.flatMap((name) => originOf(description[name])))];
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    note(
      `Cannot read the addresses of ${issuer}: ${reason}; until the next start it is limited to ` +
        "those on its own host",
    );
    return [];
  }
}

function originOf(address: unknown): string[] {
  const url = typeof address === "string" && URL.canParse(address) ? new URL(address) : null;
  return url && /^https?:$/.test(url.protocol) ? [url.origin] : [];
}
