const BROWSER_URL = /^(.*)\/_fresh\/js\/([^/]+)\/[^/]+$/;

/** What asset URLs are made from. In the browser both come from the address of the running script. */
export const deployment: { buildId: string; basePath: string } = inBrowser() ??
  { buildId: crypto.randomUUID(), basePath: "" };

function inBrowser(): { buildId: string; basePath: string } | null {
  if (typeof document === "undefined") return null;
  const [, basePath = "", buildId = ""] = BROWSER_URL.exec(new URL(import.meta.url).pathname) ?? [];
  return { buildId, basePath };
}
