import { effect, type ReadonlySignal, signal } from "@preact/signals";
import type { PageConfig } from "../../../shared/page_data.ts";
import type { TokenUser } from "../../../shared/schemas/user.ts";
import type { BrowserStorage } from "../core/browser_storage.ts";
import { when } from "../core/when.ts";

/** The key of the token in local storage, shared by all tabs. */
export const TOKEN_KEY = "jwt";

/**
 * Why the session of this tab has ended: the server refuses the token; the user signed out, here or
 * in another tab; or another tab signed in as another user.
 */
export type SessionEnd = "expired" | "signed_out" | "switched";

/**
 * The session of this tab, shared with the other tabs through local storage. Besides the token
 * there is an HttpOnly cookie for pages, images and downloads, which the server sets and clears.
 */
export class Session {
  readonly #storage: BrowserStorage;
  readonly #user = signal<TokenUser | null>(null);
  readonly #token = signal<string | null>(null);
  readonly #ended = signal<SessionEnd | null>(null);
  /** The token that the server refuses. It stays in storage, where other tabs compare it. */
  #dead: string | null = null;

  /** The signed-in user, or null. */
  readonly user: ReadonlySignal<TokenUser | null> = this.#user;
  /** The token; null also where the server needs none (noauth, proxy). */
  readonly token: ReadonlySignal<string | null> = this.#token;
  /** Set once the session is over, until the same user signs in again. */
  readonly ended: ReadonlySignal<SessionEnd | null> = this.#ended;

  /**
   * @param options.user who the server rendered the page for
   * @param options.storage `localStorage`
   */
  constructor(options: { storage: BrowserStorage; user: TokenUser | null }) {
    this.#storage = options.storage;
    const claims = this.#adopt(options.storage.getItem(TOKEN_KEY));
    this.#user.value = options.user ?? claims?.user ?? null;
  }

  /** The current token, even if another tab has just renewed it: read it before each call. */
  current(): string | null {
    const stored = this.#storage.getItem(TOKEN_KEY);
    if (stored !== null && stored !== this.#token.peek() && stored !== this.#dead) {
      this.#adopt(stored);
    }
    return this.#token.peek();
  }

  /**
   * Stores a token that the server has just issued. Of two concurrent renewals in two tabs the
   * later one wins, as using the former would end the session.
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

  /** Drops the token. The cookie is cleared by the server. */
  end(why: SessionEnd): void {
    this.#dead = this.#token.peek() ?? this.#dead;
    this.#token.value = null;
    if (why !== "expired") {
      this.#storage.removeItem(TOKEN_KEY);
      this.#user.value = null;
    }
    this.#ended.value = why;
  }

  /**
   * Waits until the user has signed in again after expiry, in any tab; false if the session has
   * ended otherwise.
   */
  async resumed(gaveUp?: AbortSignal): Promise<boolean> {
    await when(this.#ended, (why) => why !== "expired", gaveUp);
    return this.#ended.peek() === null;
  }

  /** Follows the other tabs by `storage` events; returns a function that stops it. */
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

  /** Continues with a user; a user other than the page's ends the session as `switched`. */
  #begin(user: TokenUser): void {
    const isOther = this.#ended.peek() === "expired" && this.#user.peek()?.id !== user.id;
    this.#user.value = user;
    this.#ended.value = isOther ? "switched" : null;
  }

  /** Adopts a stored token; a malformed one is logged and ignored. */
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

/** The claims of a token, unverified: only the server can verify it. */
export interface TokenClaims {
  user: TokenUser;
  /** The session that the token belongs to. */
  sid: string;
  /** Counts the renewals of the session: of two tokens the higher one is in force. */
  gen: number;
}

/**
 * Reads the claims of a session token (JWT, RFC 7519).
 *
 * @throws Error `token malformed` unless it has exactly three parts and names a user
 */
export function readToken(token: string): TokenClaims {
  const parts = token.split(".");
  if (parts.length !== 3) throw new Error("token malformed");
  const claims = decode(parts[1] ?? "");
  if (typeof claims?.user?.username !== "string") throw new Error("token malformed");
  return { user: claims.user, sid: claims.sid ?? "", gen: claims.gen ?? 0 };
}

function decode(part: string): Partial<TokenClaims> | null {
  try {
    const binary = atob(part.replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0));
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    throw new Error("token malformed");
  }
}

/** The part of `Location` that is needed to leave the page. */
type Leavable = Pick<Location, "href" | "pathname" | "search" | "assign" | "reload">;

/**
 * The address of the sign-in page, which leads back to `back` afterwards. It says that the session
 * has expired: otherwise a still valid cookie would lead back at once.
 */
export function loginHref(baseUrl: string, back?: string): string {
  if (back === undefined) return `${baseUrl}/login`;
  return `${baseUrl}/login?${new URLSearchParams({ redirect: back, expired: "1" })}`;
}

/**
 * The address at which one signs in by an account of the provider, which leads to `next`
 * afterwards.
 *
 * @param again the provider asks for a proof in any case
 */
export function providerHref(baseUrl: string, next: string, again = false): string {
  const query = new URLSearchParams({ redirect: next, ...again && { again: "1" } });
  return `${baseUrl}/login/oidc?${query}`;
}

/**
 * Leaves the page when the session ends, so that no data stays on screen: for the sign-in page,
 * which leads back here if the session has expired. When another tab has signed in as another user,
 * the page is reloaded.
 *
 * @param resumes whether the page can sign its user in again after expiry
 * @returns a function that stops it
 */
export function leaveWithSession(
  session: Session,
  { BaseURL, LogoutPage }: Pick<PageConfig, "BaseURL" | "LogoutPage">,
  location: Leavable,
  resumes = false,
): () => void {
  return effect(() => {
    switch (session.ended.value) {
      case "expired":
        if (resumes) return;
        return location.assign(loginHref(BaseURL, location.pathname + location.search));
      case "signed_out":
        return location.assign(LogoutPage || loginHref(BaseURL));
      case "switched":
        return location.reload();
    }
  });
}
