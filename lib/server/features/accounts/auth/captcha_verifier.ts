import type { Recaptcha } from "../../../core/config/sign_in_options.ts";

/** Timeout of the verifier, in milliseconds. */
const timeoutMs = 5_000;

/** The longest token that is sent on, in characters; real ones have about 2,000. */
const maxTokenLength = 8_000;

/** The longest answer that is read, in bytes. */
const maxAnswerBytes = 16 * 1024;

/** Options of the call to the verifier. */
export interface VerifierOptions {
  /** Logs a sentence when the verifier can't be reached. */
  note(sentence: string): void;
  /** Timeout in milliseconds; 5 s unless given. */
  limitMs?: number;
}

/**
 * Whether the visitor solved the captcha, according to its verifier (reCAPTCHA v2, `siteverify`).
 * False if the verifier's answer is missing or malformed.
 *
 * @param token the visitor's token from the widget; it is valid once
 */
export async function isSolved(
  { host, secret }: Recaptcha,
  token: string,
  { note, limitMs = timeoutMs }: VerifierOptions,
): Promise<boolean> {
  if (token === "" || token.length > maxTokenLength) return false;
  using client = Deno.createHttpClient({ poolMaxIdlePerHost: 0 });
  const gaveUp = new AbortController();
  const timer = setTimeout(() => gaveUp.abort(new Error("it takes too long")), limitMs);
  try {
    const question: RequestInit & { client: Deno.HttpClient } = {
      method: "POST",
      body: new URLSearchParams({ secret, response: token }),
      redirect: "manual",
      signal: gaveUp.signal,
      client,
    };
    const answer = await fetch(`${host}/recaptcha/api/siteverify`, question);
    return isYes(await readText(answer));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    note(`Cannot verify a captcha with ${host}: ${reason}`);
    return false;
  } finally {
    clearTimeout(timer);
  }
}

async function readText(answer: Response): Promise<string> {
  if (answer.status !== 200) {
    await answer.body?.cancel();
    throw new Error(`it answers with the status ${answer.status}`);
  }
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of answer.body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length > maxAnswerBytes) throw new Error("its answer is too long");
  }
  return text;
}

function isYes(text: string): boolean {
  const answer: unknown = JSON.parse(text);
  return typeof answer === "object" && answer !== null && "success" in answer &&
    answer.success === true;
}
