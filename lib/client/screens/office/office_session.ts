import { type ReadonlySignal, signal } from "@preact/signals";
import { languageTag } from "../../../shared/i18n/locales.ts";
import type { EntryPath } from "../../../shared/path.ts";
import type { Failure } from "../../../shared/result.ts";
import type { OpenedDocument } from "../../../shared/schemas/office.ts";
import type { Api } from "../../base/api/api.ts";
import { type BridgeEvents, OfficeBridge } from "./office_bridge.ts";

/** How long the editor's page may take to arrive, in milliseconds. */
const ARRIVE_MS = 30_000;

/** How long an editor that has arrived and says nothing is covered, in milliseconds. */
const COVERED_MS = 4_000;

/** After this time an editor counts as silent, in milliseconds. */
const SILENT_MS = 20_000;

/**
 * How often the editor gets a new token, in milliseconds. The calls for it keep the session of the
 * user alive, too: the server does not see that somebody types in the editor.
 */
const RENEW_MS = 10 * 60_000;

/**
 * How often the page looks at the clock, in milliseconds: a long timer stands still while the
 * machine sleeps.
 */
const LOOK_MS = 60_000;

/** Why there is no editor. */
export type Trouble =
  /** The server's refusal. */
  | { is: "refused"; why: Failure }
  /** The editor's page does not arrive, or the browser blocks it without a word. */
  | { is: "away" }
  /** The browser has blocked the frame: the office server leads to another origin. */
  | { is: "elsewhere"; origin: string };

/** The dependencies of a session. */
export interface OfficeSessionOptions {
  api: Pick<Api, "calls">;
  /** The product's name of the page's language. */
  locale: string;
  /** Where the document is now: its editor may rename it. */
  path: () => EntryPath;
  events: Omit<BridgeEvents, "onTokenNeeded">;
}

/** A document that is open in the office server: from the request for a token to its end. */
export class OfficeSession {
  readonly #options: OfficeSessionOptions;
  readonly #opened = signal<OpenedDocument | null>(null);
  readonly #trouble = signal<Trouble | null>(null);
  readonly #bridge = signal<OfficeBridge | null>(null);
  readonly #covered = signal(true);
  readonly #silent = signal(false);
  readonly #lapsed = signal(false);
  readonly #timers = new Set<ReturnType<typeof setTimeout>>();
  #asking = new AbortController();
  /** When a token was asked for last, in milliseconds since 1970. */
  #askedAt = 0;
  #isRenewing = false;

  /** The editor; null before the server has answered. */
  readonly opened: ReadonlySignal<OpenedDocument | null> = this.#opened;
  readonly trouble: ReadonlySignal<Trouble | null> = this.#trouble;
  /** The messages of the editor; null while there is no frame. */
  readonly bridge: ReadonlySignal<OfficeBridge | null> = this.#bridge;
  /** The editor is not to be seen yet. */
  readonly covered: ReadonlySignal<boolean> = this.#covered;
  /** The editor has arrived, and has never said anything. */
  readonly silent: ReadonlySignal<boolean> = this.#silent;
  /** The editor gets no new token: once the last one ends, it saves no more. */
  readonly lapsed: ReadonlySignal<boolean> = this.#lapsed;

  /** @param options what the session works with */
  constructor(options: OfficeSessionOptions) {
    this.#options = options;
  }

  /** Asks for the editor of the document, also once more. */
  async open(): Promise<void> {
    this.end();
    const { signal } = this.#asking = new AbortController();
    this.#trouble.value = null;
    this.#opened.value = null;
    this.#covered.value = true;
    this.#silent.value = false;
    this.#lapsed.value = false;
    const answer = await this.#ask(signal);
    if (signal.aborted) return;
    if (!answer.ok) this.#trouble.value = { is: "refused", why: answer };
    else if (isMixed(answer.value.address)) this.#trouble.value = { is: "away" };
    else this.#opened.value = answer.value;
  }

  /** Loads the editor into a frame. The token goes by a form, and stands in no address. */
  show(frame: HTMLIFrameElement): void {
    const opened = this.#opened.peek();
    if (!opened) return;
    const { origin } = new URL(opened.address);
    const bridge = new OfficeBridge({
      ...this.#options.events,
      ...{ origin, window: globalThis },
      frame: () => frame.contentWindow,
      onTokenNeeded: () => void this.renew(),
    });
    this.#bridge.value = bridge;
    const isSilent = () => bridge.stage.peek() === "silent";
    bridge.stage.subscribe((stage) => {
      if (stage === "silent") return;
      this.#covered.value = false;
      this.#silent.value = false;
    });
    const late = this.#after(ARRIVE_MS, () => isSilent() && this.#fail({ is: "away" }));
    frame.addEventListener("load", () => {
      clearTimeout(late);
      bridge.greet();
      this.#after(COVERED_MS, () => this.#covered.value = false);
      this.#after(SILENT_MS, () => this.#silent.value = isSilent());
    });
    this.#watch();
    postToken(frame.name, opened);
  }

  /**
   * Hands a new token to the editor. Where the session has ended, the call waits until the user has
   * signed in again, if the page asks for that; the document stays open all the while.
   */
  async renew(): Promise<void> {
    const opened = this.#opened.peek();
    if (!opened || this.#isRenewing) return;
    const { signal } = this.#asking;
    this.#isRenewing = true;
    const answer = await this.#askAgain(signal);
    this.#isRenewing = false;
    if (signal.aborted) return;
    // A token to view is no help for one who edits.
    const isGiven = answer.ok && (answer.value.right === "edit" || opened.right === "view");
    this.#lapsed.value = !isGiven;
    if (isGiven) this.#bridge.peek()?.renew(answer.value.token, answer.value.expires);
  }

  /**
   * Tells that the browser has blocked an address; that of the frame is a failure. Of a redirect,
   * `form-action` names the address that was asked for, and `frame-src` then the other one.
   */
  blocked({ effectiveDirective, blockedURI }: SecurityPolicyViolationEvent): void {
    const isOfFrame = effectiveDirective === "frame-src" || effectiveDirective === "form-action";
    const opened = this.#opened.peek();
    if (!isOfFrame || !opened || this.#trouble.peek()?.is === "elsewhere") return;
    const origin = URL.parse(blockedURI)?.origin ?? blockedURI;
    const isOwn = origin === new URL(opened.address).origin;
    this.#fail(isOwn ? { is: "away" } : { is: "elsewhere", origin });
  }

  /** Ends it: nothing is waited for any more. */
  end(): void {
    this.#asking.abort();
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers.clear();
    this.#bridge.peek()?.close();
    this.#bridge.value = null;
  }

  #fail(trouble: Trouble): void {
    this.end();
    this.#trouble.value = trouble;
  }

  #ask(signal: AbortSignal) {
    this.#askedAt = Date.now();
    const query = {
      language: languageTag(this.#options.locale),
      theme: isDark() ? "dark" as const : "light" as const,
    };
    const { api: { calls }, path } = this.#options;
    return calls.json("POST /api/office/{path}", { params: { path: path() }, query, signal });
  }

  /** Asks until the server answers, or refuses for good. */
  async #askAgain(signal: AbortSignal) {
    const { calls } = this.#options.api;
    let answer = await this.#ask(signal);
    while (!answer.ok && answer.status !== 401 && await calls.recover(answer, signal)) {
      answer = await this.#ask(signal);
    }
    return answer;
  }

  /** Renews the token from time to time. */
  #watch(): void {
    this.#after(LOOK_MS, () => {
      if (Date.now() - this.#askedAt >= RENEW_MS) void this.renew();
      this.#watch();
    });
  }

  #after(ms: number, act: () => void): ReturnType<typeof setTimeout> {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      act();
    }, ms);
    this.#timers.add(timer);
    return timer;
  }
}

/** Whether browsers show no frame of an address here: one of http on a page of https (mixed content). */
function isMixed(address: string): boolean {
  const { protocol, hostname } = new URL(address);
  const isLocal = /^(.+\.)?localhost$|^127\.|^\[::1\]$/.test(hostname);
  return location.protocol === "https:" && protocol === "http:" && !isLocal;
}

function isDark(): boolean {
  const { theme } = document.documentElement.dataset;
  return theme ? theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
}

function postToken(target: string, { address, token, expires }: OpenedDocument): void {
  const form = document.createElement("form");
  Object.assign(form, { action: address, method: "post", target, hidden: true });
  const fields = { access_token: token, access_token_ttl: String(expires) };
  for (const [name, value] of Object.entries(fields)) {
    const field = document.createElement("input");
    Object.assign(field, { type: "hidden", name, value });
    form.append(field);
  }
  document.body.append(form);
  form.submit();
  // The document keeps no token.
  form.remove();
}
