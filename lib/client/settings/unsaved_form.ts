import type { Holder } from "../navigation/leave_guard.ts";
import type { Prompts } from "../prompts/prompts.ts";

/** A form that somebody may have filled in and not sent. */
export interface UnsavedForm {
  /** What is to be saved, for the question. */
  name: string;
  isChanged: boolean;
  /** Sends it; whether that was done. */
  save: () => Promise<boolean>;
}

/** Has the user decide what becomes of a form that is left with changes. */
export class FormHolder implements Holder {
  readonly #prompts: Prompts;
  readonly #form: () => UnsavedForm;
  #isSettled = false;

  /** @param form how it is now */
  constructor(prompts: Prompts, form: () => UnsavedForm) {
    this.#prompts = prompts;
    this.#form = form;
  }

  holds(): boolean {
    return !this.#isSettled && this.#form().isChanged;
  }

  async ask(): Promise<boolean> {
    const { name, save } = this.#form();
    const answer = await this.#prompts.open("discard", { name });
    this.#isSettled = answer === "discard" || answer === "save" && await save();
    return this.#isSettled;
  }
}
