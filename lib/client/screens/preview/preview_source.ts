import { type ReadonlySignal, signal } from "@preact/signals";
import { type EntryPath, parsePath } from "../../../shared/path.ts";
import type { PageConfig } from "../../../shared/page_data.ts";
import { bigPreviewQuery, pictureForms, previewKey } from "../../../shared/picture_forms.ts";
import type { Entry } from "../../../shared/schemas/entry.ts";
import type { Api } from "../../base/api/api.ts";
import type { Failure } from "../../../shared/result.ts";

/** The reason why a file is not shown: the server refused it, or the browser can't decode it. */
export type Trouble = { is: "refused"; why: Failure } | { is: "unknown_format" };

/** The part of the API client that a source needs. */
export type SourceApi = Pick<Api, "addressOf" | "tryDownload" | "ticket">;

/** The file itself, to be embedded. */
export function inlineAddress(api: SourceApi, at: EntryPath, ticket?: string): string {
  return api.addressOf("GET /api/raw/{path}", {
    params: { path: at },
    query: { inline: true, auth: ticket },
  });
}

/** The address of the cover of a sound: a square, as large as the server makes them. */
export function coverOf(api: Pick<SourceApi, "addressOf">, entry: Entry): string {
  return api.addressOf("GET /api/preview/{size}/{path}", {
    params: { size: "thumb", path: parsePath(entry.path).path },
    query: { side: 640, k: previewKey(entry), optional: true },
  });
}

/** The address of a picture that the server makes of an image or a film, for a screen. */
export function bigPreview(api: Pick<SourceApi, "addressOf">, entry: Entry): string {
  return api.addressOf("GET /api/preview/{size}/{path}", {
    params: { size: "big", path: parsePath(entry.path).path },
    query: bigPreviewQuery(entry),
  });
}

/** The addresses of an image, in the order in which they are tried. */
export function pictureAddresses(
  entry: Entry,
  api: SourceApi,
  config: Pick<PageConfig, "ResizePreview">,
): string[] {
  const whole = inlineAddress(api, parsePath(entry.path).path);
  return pictureForms(entry, config).map((form) => form === "big" ? bigPreview(api, entry) : whole);
}

/**
 * The source of the open file's content: an address that works with the cookie, or one with a
 * ticket where the cookie is blocked or has expired.
 */
export class PreviewSource {
  readonly #api: SourceApi;
  readonly #at: EntryPath;
  #addresses: readonly string[];
  readonly #address;
  readonly #trouble = signal<Trouble | null>(null);
  #index = 0;
  #ticketed = false;

  /** The reason why nothing is shown, or null. */
  readonly trouble: ReadonlySignal<Trouble | null> = this.#trouble;

  /** The address to show. */
  readonly address: ReadonlySignal<string>;

  /** @param addresses in the order in which they are tried; the last is the file itself */
  constructor(options: { api: SourceApi; at: EntryPath; addresses: readonly string[] }) {
    this.#api = options.api;
    this.#at = options.at;
    this.#addresses = options.addresses;
    this.address = this.#address = signal(options.addresses[0] ?? "");
  }

  /** Whether the file itself is shown, not a smaller preview. */
  get isWhole(): boolean {
    return this.#index === this.#addresses.length - 1;
  }

  /** Whether the address has a ticket, which is good for a minute. */
  get isTicketed(): boolean {
    return this.#ticketed;
  }

  /** The file itself, once a preview is too small. */
  get whole(): string {
    return this.#addresses.at(-1) ?? "";
  }

  /** Call it when the content has loaded. */
  loaded(): void {
    this.#ticketed = false;
  }

  /** Switches to the file itself. */
  showWhole(): void {
    this.#show(this.#addresses.length - 1);
  }

  /** Shows another picture of the file first, such as one that is upright. */
  prefer(address: string): void {
    this.#addresses = [address, ...this.#addresses];
    this.#show(0);
  }

  /**
   * Checks whether the file is accessible, for elements without an error event: frames.
   *
   * @returns whether the address can be shown
   */
  async check(): Promise<boolean> {
    await this.#diagnose(null);
    return this.#trouble.peek() === null;
  }

  /**
   * Call it when the content cannot be loaded or decoded: tries the next address.
   *
   * @param otherwise shows the file in another way than by its address, if there is one; called when
   * the server does deliver the file
   */
  async failed(otherwise?: () => boolean): Promise<void> {
    if (!this.isWhole) return this.#show(this.#index + 1);
    await this.#diagnose({ is: "unknown_format" }, otherwise);
  }

  /** Shows nothing any more, for a reason. */
  stop(trouble: Trouble): void {
    this.#trouble.value = trouble;
  }

  /** Retries. */
  retry(): void {
    this.#ticketed = false;
    this.#trouble.value = null;
    this.#show(0);
  }

  /** @param otherwise the trouble to report when the server does deliver the file */
  async #diagnose(otherwise: Trouble | null, goOn?: () => boolean): Promise<void> {
    const tried = await this.#api.tryDownload(this.#address.peek());
    if (tried.ok) {
      if (!goOn?.()) this.#trouble.value = otherwise;
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
