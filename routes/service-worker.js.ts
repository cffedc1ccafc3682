import { asset } from "fresh/runtime";
import {
  OFFLINE_PAGE,
  retiredWorker,
  serviceWorker,
  SHARE_TARGET,
  SHARED_MS,
  sharedCache,
  type WorkerSetup,
} from "../lib/client/files_page/offline/service_worker.ts";
import { define } from "../lib/server/http/define.ts";

/**
 * The service worker: the text of its function, and what it starts with. A server that has none
 * sends one that removes itself.
 */
export const handler = define.handlers({
  GET(ctx) {
    const base = ctx.config.basePath;
    const setup: WorkerSetup = {
      base,
      build: asset("/"),
      kept: [
        base + OFFLINE_PAGE,
        ...["/styles.css", "/offline.js", "/favicon.svg"].map((path) => asset(base + path)),
      ],
      offline: OFFLINE_PAGE,
      shareTarget: SHARE_TARGET,
      shared: sharedCache(base),
      sharedMs: SHARED_MS,
    };
    const { disableInstall } = ctx.state.cubby.config;
    const script = disableInstall
      ? `(${retiredWorker})(self, ${JSON.stringify({ base })});`
      : `(${serviceWorker})(self, ${JSON.stringify(setup)});`;
    return new Response(script, {
      headers: {
        "content-type": "text/javascript; charset=utf-8",
        // Browsers then ask for it again with each page.
        "cache-control": "no-cache",
        // It holds for the worker itself, which fetches what it keeps.
        "content-security-policy": "default-src 'none'; connect-src 'self'",
      },
    });
  },
});
