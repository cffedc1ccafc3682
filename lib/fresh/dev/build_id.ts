/**
 * The id of a build: the same for the same deployment, commit or, failing both, for this process
 * alone.
 */
export async function newBuildId(): Promise<string> {
  const known = ["DENO_DEPLOYMENT_ID", "GITHUB_SHA", "CI_COMMIT_SHA"]
    .map((name) => Deno.env.get(name))
    .find((value) => value !== undefined);
  const bytes = new TextEncoder().encode(known ?? crypto.randomUUID());
  return new Uint8Array(await crypto.subtle.digest("SHA-1", bytes)).toHex();
}
