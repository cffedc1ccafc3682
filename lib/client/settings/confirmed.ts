import type { TFunction } from "i18next";
import type { Prompts } from "../prompts/prompts.ts";
import { reasonOf } from "../api/reasons.ts";
import { failure, type Result } from "../api/result.ts";

/** How a call is confirmed. */
export interface Confirming {
  prompts: Prompts;
  t: TFunction;
  /** Asks before the first call, for what is known to be refused without. */
  first: boolean;
}

/**
 * Makes a call that may want the own password: asks for it when the server does, and again until it
 * is right. Who closes the question gives up: `aborted`.
 *
 * @param call is made with the password, or without one at first
 */
export async function confirmed<T>(
  { prompts, t, first }: Confirming,
  call: (password?: string) => Promise<Result<T>>,
): Promise<Result<T>> {
  let answer = first ? null : await call();
  let complaint: string | undefined;
  while (answer === null || (!answer.ok && answer.code === "wrong_credentials")) {
    const password = await prompts.open("password", { complaint });
    if (password === null) return failure(0, "aborted", "The call was given up");
    answer = await call(password);
    if (!answer.ok) complaint = reasonOf(t, answer);
  }
  return answer;
}
