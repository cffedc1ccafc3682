/** What a browser keeps of its visits, for tests that follow redirects between two servers. */
import type { CallOptions, TestApp } from "../server/app.ts";

/** The cookies of one browser, by host and path. */
class BrowserCookies {
  readonly #kept = new Map<string, { host: string; path: string; name: string; value: string }>();

  /** Takes the cookies of an answer. */
  take(url: string, answer: Response): void {
    const { hostname: host } = new URL(url);
    for (const cookie of answer.headers.getSetCookie()) {
      const [pair = "", ...attributes] = cookie.split(";").map((part) => part.trim());
      const [name = "", value = ""] = pair.split(/=(.*)/s);
      const attribute = (wanted: string) =>
        attributes.find((each) => each.toLowerCase().startsWith(`${wanted}=`))?.split("=")[1];
      const path = attribute("path") ?? "/";
      const key = `${host} ${path} ${name}`;
      const isGone = attribute("max-age") === "0" ||
        Date.parse(attribute("expires") ?? "2100-01-01") < Date.now();
      if (isGone) this.#kept.delete(key);
      else this.#kept.set(key, { host, path, name, value });
    }
  }

  /** The `Cookie` header for an address. */
  header(url: string): Record<string, string> {
    const { hostname, pathname } = new URL(url);
    const fitting = [...this.#kept.values()].filter(({ host, path }) =>
      host === hostname && (pathname === path || pathname.startsWith(path.replace(/\/?$/, "/")))
    );
    return fitting.length === 0
      ? {}
      : { cookie: fitting.map(({ name, value }) => `${name}=${value}`).join("; ") };
  }
}

/** A browser that visits an application in this process, and other servers of this machine. */
export class TestBrowser {
  readonly cookies = new BrowserCookies();
  readonly #app: TestApp;
  readonly #origin: string;

  /** @param origin of the application, as the browser has it */
  constructor(app: TestApp, origin = "http://cubby.test") {
    this.#app = app;
    this.#origin = origin;
  }

  /** Visits one address; redirects are not followed. @param at an address, or a path of the application */
  async visit(at: string, options: CallOptions = {}): Promise<Response> {
    const url = new URL(at, this.#origin).href;
    const headers = { accept: "text/html", ...this.cookies.header(url), ...options.headers };
    const isOurs = url.startsWith(this.#origin);
    const answer = isOurs
      ? await this.#app.call("GET", url.slice(this.#origin.length), {
        ...options,
        headers,
        origin: this.#origin,
      })
      : await fetch(url, { headers, redirect: "manual" });
    this.cookies.take(url, answer);
    return answer;
  }

  /**
   * Follows redirects from an address on, up to the first one that `until` matches, or to a page.
   *
   * @returns that address, or that of the page
   */
  async follow(at: string, until: RegExp = /^$/): Promise<string> {
    let url = new URL(at, this.#origin).href;
    for (let steps = 0; steps < 20; steps++) {
      if (until.test(url)) return url;
      const answer = await this.visit(url);
      await answer.body?.cancel();
      const location = answer.headers.get("location");
      if (location === null) return url;
      url = new URL(location, url).href;
    }
    throw new Error(`Cannot follow "${at}": it goes round in circles`);
  }
}
