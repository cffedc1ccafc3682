import { type ReadonlySignal, signal } from "@preact/signals";

/** The display time of a success message, in milliseconds. */
const SUCCESS_MS = 1000;

/** A short message at the edge of the screen. */
export interface Toast {
  id: number;
  kind: "success" | "error";
  /** Already in the user's language. */
  text: string;
}

/** The toasts on screen: success messages disappear by themselves, errors stay until closed. */
export class Toasts {
  readonly #shown = signal<readonly Toast[]>([]);
  #lastId = 0;

  /** The messages to show, oldest first. */
  readonly shown: ReadonlySignal<readonly Toast[]> = this.#shown;

  /** Shows a success message for {@link SUCCESS_MS}. */
  success(text: string): void {
    const id = this.#add("success", text);
    setTimeout(() => this.close(id), SUCCESS_MS);
  }

  /** Shows an error until it is closed; the same text is not shown twice at once. */
  error(text: string): void {
    const already = this.#shown.peek().some((toast) =>
      toast.kind === "error" && toast.text === text
    );
    if (!already) this.#add("error", text);
  }

  /** Removes a message. */
  close(id: number): void {
    this.#shown.value = this.#shown.peek().filter((toast) => toast.id !== id);
  }

  #add(kind: Toast["kind"], text: string): number {
    const id = ++this.#lastId;
    this.#shown.value = [...this.#shown.peek(), { id, kind, text }];
    return id;
  }
}
