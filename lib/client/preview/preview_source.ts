import { type ReadonlySignal, signal } from "@preact/signals";
import { type EntryPath, parsePath } from "../../shared/path.ts";
import type { Entry, PageConfig } from "../../shared/api_types.ts";
import type { Api } from "../api/api.ts";
import { path } from "../api/api_path.ts";
import type { Failure } from "../api/result.ts";

/** Why a file is not shown: the server refused, or gave it and the browser can do nothing with it. */
export type Trouble = { is: "refused"; why: Failure } | { is: "unknown_format" };

/** What of the server's client a source needs. */
export type SourceApi = Pick<Api, "address" | "tryDownload" | "ticket">;

/** Pictures up to so many bytes are shown as they are. */
const SMALL = 256 * 1024;

const words = (text: string): ReadonlySet<string> => new Set(text.split(" "));

/** What browsers show. For others there is only the server's preview. */
const SHOWN = words(
  ".apng .avif .bmp .cur .gif .ico .jfif .jpe .jpeg .jpg .pjp .pjpeg .png .svg .webp",
);

/** What would stand still, or lose its edges, in a preview. */
const ALWAYS_WHOLE = words(".apng .avif .cur .gif .ico .svg .webp");

/** The file itself, to be shown in place. */
export function inlineAddress(api: SourceApi, at: EntryPath, ticket?: string): string {
  return api.address(path`/api/raw${at}`, { inline: true, auth: ticket });
}

/** Where a picture can be had: what to show first, and what else when that fails. */
export function pictureAddresses(
  entry: Entry,
  api: SourceApi,
  config: Pick<PageConfig, "ResizePreview">,
): string[] {
  const at = parsePath(entry.path).path;
  const k = Date.parse(entry.modified);
  const big = api.address(path`/api/preview/big${at}`, { k, inline: true });
  const whole = inlineAddress(api, at);
  if (!SHOWN.has(entry.extension)) return [big, whole];
  const asItIs = !config.ResizePreview || ALWAYS_WHOLE.has(entry.extension) || entry.size <= SMALL;
  return asItIs ? [whole] : [big, whole];
}

/**
 * Where the content of the file on screen comes from. The cookie opens it, in most browsers; where
 * it is blocked, or has gone while a film played, a ticket in the address does.
 */
export class PreviewSource {
  readonly #api: SourceApi;
  readonly #at: EntryPath;
  readonly #addresses: readonly string[];
  readonly #address;
  readonly #trouble = signal<Trouble | null>(null);
  #index = 0;
  #ticketed = false;

  /** @param addresses what to show first, and what else when that fails; the last is the file itself */
  constructor(options: { api: SourceApi; at: EntryPath; addresses: readonly string[] }) {
    this.#api = options.api;
    this.#at = options.at;
    this.#addresses = options.addresses;
    this.#address = signal(options.addresses[0] ?? "");
  }

  /** What to show. */
  get address(): ReadonlySignal<string> {
    return this.#address;
  }

  /** Why nothing is shown; null while all is well. */
  get trouble(): ReadonlySignal<Trouble | null> {
    return this.#trouble;
  }

  /** Whether what is shown is the file itself, not a smaller preview. */
  get isWhole(): boolean {
    return this.#index === this.#addresses.length - 1;
  }

  /** The file itself, once a preview is not enough. */
  get whole(): string {
    return this.#addresses.at(-1) ?? "";
  }

  /** Told when what is at the address has come. */
  loaded(): void {
    this.#ticketed = false;
  }

  /** Shows the file itself from now on. */
  showWhole(): void {
    this.#show(this.#addresses.length - 1);
  }

  /**
   * Asks whether the file can be had, for what can't tell when it could not: a frame.
   *
   * @returns whether what is at the address may be shown
   */
  async check(): Promise<boolean> {
    await this.#diagnose(null);
    return this.#trouble.peek() === null;
  }

  /** Told when what is at the address did not come, or is not understood: goes on to the next. */
  async failed(): Promise<void> {
    if (!this.isWhole) return this.#show(this.#index + 1);
    await this.#diagnose({ is: "unknown_format" });
  }

  /** Begins again. */
  retry(): void {
    this.#ticketed = false;
    this.#trouble.value = null;
    this.#show(0);
  }

  /** @param otherwise what is the matter when the server gives the file */
  async #diagnose(otherwise: Trouble | null): Promise<void> {
    const tried = await this.#api.tryDownload(this.#address.peek());
    if (tried.ok) {
      this.#trouble.value = otherwise;
      return;
    }
    const ticket = tried.status === 401 && !this.#ticketed
      ? await this.#api.ticket(this.#at)
      : tried;
    if (!ticket.ok) {
      this.#trouble.value = { is: "refused", why: ticket };
      return;
    }
    this.#ticketed = true;
    this.#address.value = inlineAddress(this.#api, this.#at, ticket.value);
  }

  #show(index: number): void {
    this.#index = index;
    this.#address.value = this.#addresses[index] ?? "";
  }
}
