import { type ReadonlySignal, signal } from "@preact/signals";
import type { TokenUser } from "../../shared/api_types.ts";
import type { BrowserStorage } from "../core/browser_storage.ts";
import { readToken, type TokenClaims } from "./token.ts";
import { when } from "../core/when.ts";

/** Where the token lies in local storage; the tabs of a browser share it. */
export const TOKEN_KEY = "jwt";

/**
 * Why the session of this tab is over: the server no longer takes the token; the user signed out,
 * here or in another tab; or another tab signed in as somebody else.
 */
export type SessionEnd = "expired" | "signed_out" | "switched";

/**
 * Who is signed in, in this tab and, through local storage, in all tabs of the browser. Besides the
 * token there is a cookie for pages, images and downloads, which scripts can't read: the server
 * sets and clears it.
 */
export class Session {
  readonly #storage: BrowserStorage;
  readonly #user = signal<TokenUser | null>(null);
  readonly #token = signal<string | null>(null);
  readonly #ended = signal<SessionEnd | null>(null);
  /** The token that the server no longer takes. It stays in storage: other tabs go by that. */
  #dead: string | null = null;

  /**
   * @param options.user who the server rendered the page for
   * @param options.storage `localStorage`
   */
  constructor(options: { storage: BrowserStorage; user: TokenUser | null }) {
    this.#storage = options.storage;
    const claims = this.#adopt(options.storage.getItem(TOKEN_KEY));
    this.#user.value = options.user ?? claims?.user ?? null;
  }

  /** The user; null when nobody is signed in. */
  get user(): ReadonlySignal<TokenUser | null> {
    return this.#user;
  }

  /** The token; null also where the server needs none (noauth, proxy). */
  get token(): ReadonlySignal<string | null> {
    return this.#token;
  }

  /** Set once the session is over, until the same user signs in again. */
  get ended(): ReadonlySignal<SessionEnd | null> {
    return this.#ended;
  }

  /** The token in force, also when another tab has just renewed it: read it before each call. */
  current(): string | null {
    const stored = this.#storage.getItem(TOKEN_KEY);
    if (stored !== null && stored !== this.#token.peek() && stored !== this.#dead) {
      this.#adopt(stored);
    }
    return this.#token.peek();
  }

  /**
   * Takes a token that the server has just issued. Of two renewals of one session that cross each
   * other, in two tabs, the later one stays: using the former would end the session.
   *
   * @throws Error `token malformed`
   */
  keep(token: string): TokenUser {
    const claims = readToken(token);
    const rival = readQuietly(this.#storage.getItem(TOKEN_KEY));
    const outdated = rival !== null && rival.sid === claims.sid && rival.gen > claims.gen;
    if (!outdated) this.#storage.setItem(TOKEN_KEY, token);
    this.current();
    this.#begin(claims.user);
    return claims.user;
  }

  /** Lets go of the token and says why. The cookie is the server's to clear. */
  end(why: SessionEnd): void {
    this.#dead = this.#token.peek() ?? this.#dead;
    this.#token.value = null;
    if (why !== "expired") {
      this.#storage.removeItem(TOKEN_KEY);
      this.#user.value = null;
    }
    this.#ended.value = why;
  }

  /** Waits for an expired session to be taken up again, here or in another tab; false if it is not. */
  async resumed(gaveUp?: AbortSignal): Promise<boolean> {
    await when(this.#ended, (why) => why !== "expired", gaveUp);
    return this.#ended.peek() === null;
  }

  /** Follows what other tabs do; returns the way to stop. */
  listen(target: Pick<Window, "addEventListener" | "removeEventListener">): () => void {
    const onStorage = (event: StorageEvent) => {
      if (event.key !== null && event.key !== TOKEN_KEY) return;
      this.#follow(event.key === null ? null : event.newValue);
    };
    target.addEventListener("storage", onStorage);
    return () => target.removeEventListener("storage", onStorage);
  }

  #follow(stored: string | null): void {
    if (stored === null) {
      if ((this.#token.peek() ?? this.#dead) !== null) this.end("signed_out");
      return;
    }
    const before = this.#user.peek();
    const claims = this.#adopt(stored);
    if (claims === null) return;
    if (before !== null && before.id !== claims.user.id) this.#ended.value = "switched";
    else this.#begin(claims.user);
  }

  /** Goes on with a user: whose page it is, or, where none was shown, anybody. */
  #begin(user: TokenUser): void {
    const isOther = this.#ended.peek() === "expired" && this.#user.peek()?.id !== user.id;
    this.#user.value = user;
    this.#ended.value = isOther ? "switched" : null;
  }

  /** Makes a stored token the present one; one that can't be read is only warned about. */
  #adopt(stored: string | null): TokenClaims | null {
    if (stored === null) return null;
    try {
      const claims = readToken(stored);
      this.#token.value = stored;
      return claims;
    } catch (error) {
      console.warn(`Cannot use the stored token: ${(error as Error).message}`);
      return null;
    }
  }
}

function readQuietly(token: string | null): TokenClaims | null {
  try {
    return token === null ? null : readToken(token);
  } catch {
    return null;
  }
}
