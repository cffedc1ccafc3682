import type { PageConfig } from "../../../shared/page_data.ts";

/** The look of the installed app, for the offline page: its language and its theme. */
export function appearanceOf(locale: string, theme: string): string {
  return `${locale} ${theme}`.trim();
}

/** The parts of `navigator.serviceWorker` that are used. */
type Workers = Pick<ServiceWorkerContainer, "register" | "getRegistration" | "ready">;

/**
 * Registers the service worker, which makes the site installable; where it is switched off, removes
 * one that was there. Does nothing on plain http, where browsers have none.
 *
 * @param look of this page, see {@linkcode appearanceOf}
 */
export async function keepInstallable(
  { BaseURL, Installable }: Pick<PageConfig, "BaseURL" | "Installable">,
  look: string,
  workers: Workers | undefined = navigator.serviceWorker,
): Promise<void> {
  if (!workers) return;
  const scope = `${BaseURL}/`;
  try {
    if (!Installable) {
      const former = await workers.getRegistration(scope);
      // A worker above may be another site's.
      if (former?.scope === new URL(scope, location.href).href) await former.unregister();
      return;
    }
    const options = { scope, updateViaCache: "none" } as const;
    await workers.register(`${BaseURL}/service-worker.js`, options);
    (await workers.ready).active?.postMessage(look);
  } catch {
    // Forbidden by the browser, or the server is gone: the site works without.
  }
}
