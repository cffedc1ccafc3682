import {
  browserSupportsWebAuthnAutofill,
  startAuthentication,
  startRegistration,
  WebAuthnAbortService,
  WebAuthnError,
} from "@simplewebauthn/browser";
import type {
  NewPasskey,
  PasskeyAnswer,
  PasskeyCreation,
} from "../../../shared/schemas/passkeys.ts";
import { failure, type Result, success } from "../../../shared/result.ts";
import type { Calls } from "../api/calls.ts";

/*
 * The client of the browser's passkeys, with the library for it. It is loaded when a passkey is
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

/** How a browser is to offer passkeys. */
interface PasskeyOffer {
  /**
   * With the names that it knows for a field (WebAuthn: "conditional mediation"), not in a dialog.
   */
  inField?: boolean;
  /** Withdraws it. */
  signal?: AbortSignal;
}

/**
 * Has the user answer a question of the server by a passkey. An offer that was open before is
 * withdrawn: a browser has one at a time.
 *
 * @returns `aborted` when no passkey was chosen; failures of the call
 */
export async function answerByPasskey(
  calls: Calls,
  { inField = false, signal }: PasskeyOffer = {},
): Promise<Result<PasskeyAnswer>> {
  const call = { anonymous: true, signal } as const;
  const asked = await calls.json("POST /api/login/passkey", call);
  if (!asked.ok) return asked;
  try {
    const { id, rawId, response } = await startAuthentication({
      optionsJSON: asked.value,
      useBrowserAutofill: inField,
    });
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
  return answer.ok ? await enter(calls, answer.value) : answer;
}

async function enter(calls: Calls, answer: PasskeyAnswer): Promise<Result<void>> {
  const call = { json: answer, anonymous: true } as const;
  return calls.admit(await calls.text("PUT /api/login/passkey", call));
}

/** How long an offer is open before its question is too old, in milliseconds. */
const offerMs = 9 * 60_000;

/**
 * Has the browser offer passkeys in the field for the name, until one is chosen. Where it cannot,
 * the server is not asked.
 *
 * @param signal withdraws the offer
 * @returns whether the passkey has signed in; null when none was chosen
 */
export async function signInFromField(
  calls: Calls,
  signal: AbortSignal,
): Promise<Result<void> | null> {
  const withdraw = () => WebAuthnAbortService.cancelCeremony();
  signal.addEventListener("abort", withdraw);
  const canOffer = await browserSupportsWebAuthnAutofill();
  while (canOffer && !signal.aborted) {
    let isTooOld = false;
    const renewal = setTimeout(() => {
      isTooOld = true;
      withdraw();
    }, offerMs);
    const answer = await answerByPasskey(calls, { inField: true, signal });
    clearTimeout(renewal);
    if (signal.aborted) return null;
    if (answer.ok) return await enter(calls, answer.value);
    if (!isTooOld) return null;
  }
  return null;
}

/** Browsers do not tell why there is no answer: the user's no is one reason, a timeout another. */
function failureOf(error: unknown): Result<never> {
  const isThere = error instanceof WebAuthnError &&
    error.code === "ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED";
  return failure(0, isThere ? "exists" : "aborted", String(error));
}
