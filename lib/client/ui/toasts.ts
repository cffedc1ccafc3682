import { type ReadonlySignal, signal } from "@preact/signals";

/** How long good news stays, in milliseconds. */
export const SUCCESS_MS = 1000;

/** A short message at the edge of the screen. */
export interface Toast {
  id: number;
  kind: "success" | "error";
  /** Already in the user's language. */
  text: string;
}

/** The messages on screen: good news goes by itself, errors stay until they are closed. */
export class Toasts {
  readonly #shown = signal<readonly Toast[]>([]);
  #lastId = 0;

  /** The messages to show, oldest first. */
  get shown(): ReadonlySignal<readonly Toast[]> {
    return this.#shown;
  }

  /** Shows good news for {@link SUCCESS_MS}. */
  success(text: string): void {
    const id = this.#add("success", text);
    setTimeout(() => this.close(id), SUCCESS_MS);
  }

  /** Shows an error until somebody closes it; the same text is not shown twice at once. */
  error(text: string): void {
    const already = this.#shown.peek().some((toast) =>
      toast.kind === "error" && toast.text === text
    );
    if (!already) this.#add("error", text);
  }

  /** Takes a message away. */
  close(id: number): void {
    this.#shown.value = this.#shown.peek().filter((toast) => toast.id !== id);
  }

  #add(kind: Toast["kind"], text: string): number {
    const id = ++this.#lastId;
    this.#shown.value = [...this.#shown.peek(), { id, kind, text }];
    return id;
  }
}
