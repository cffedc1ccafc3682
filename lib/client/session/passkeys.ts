import { startAuthentication, startRegistration, WebAuthnError } from "@simplewebauthn/browser";
import type {
  NewPasskey,
  PasskeyAnswer,
  PasskeyCreation,
  PasskeyQuestion,
} from "../../shared/schemas/passkeys.ts";
import { failure, type Result, success } from "../../shared/result.ts";
import { path } from "../api/api_path.ts";
import type { Calls } from "../api/calls.ts";

/*
 * What talks to the browser's passkeys, with the library for it. It is loaded when a passkey is
 * asked for.
 */

/**
 * Makes a passkey.
 *
 * @returns `exists` when the device has one for the user; `aborted` when none was made
 */
export async function createPasskey(options: PasskeyCreation): Promise<Result<NewPasskey>> {
  try {
    const made = await startRegistration({ optionsJSON: options });
    const { id, rawId, response: { clientDataJSON, attestationObject } } = made;
    const response = { clientDataJSON, attestationObject };
    return success({ id, rawId, type: "public-key", response });
  } catch (error) {
    return failureOf(error);
  }
}

/**
 * Has the user answer a question of the server by a passkey.
 *
 * @returns `aborted` when no passkey was chosen; failures of the call
 */
export async function answerByPasskey(calls: Calls): Promise<Result<PasskeyAnswer>> {
  const call = { method: "POST", anonymous: true } as const;
  const asked = await calls.json<PasskeyQuestion>(path`/api/login/passkey`, call);
  if (!asked.ok) return asked;
  try {
    const { id, rawId, response } = await startAuthentication({ optionsJSON: asked.value });
    const { clientDataJSON, authenticatorData, signature, userHandle = "" } = response;
    return success({
      id,
      rawId,
      type: "public-key",
      response: { clientDataJSON, authenticatorData, signature, userHandle },
    });
  } catch (error) {
    return failureOf(error);
  }
}

/** Signs in by a passkey alone; afterwards the session knows the user. */
export async function signInByPasskey(calls: Calls): Promise<Result<void>> {
  const answer = await answerByPasskey(calls);
  if (!answer.ok) return answer;
  const call = { method: "PUT", json: answer.value, anonymous: true } as const;
  return calls.admit(await calls.text(path`/api/login/passkey`, call));
}

/** Browsers do not tell why there is no answer: the user's no is one reason, a timeout another. */
function failureOf(error: unknown): Result<never> {
  const isThere = error instanceof WebAuthnError &&
    error.code === "ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED";
  return failure(0, isThere ? "exists" : "aborted", String(error));
}
