import { DomainError } from "../../../../../shared/errors.ts";
import type { NewPasskey, PasskeyAnswer } from "../../../../../shared/schemas/passkeys.ts";
import type { StoredPasskey } from "../factors/factors_record.ts";
import type { RelyingParty } from "./relying_party.ts";

/** The kinds of keys (COSE): Ed25519, ECDSA with P-256, RSA. All authenticators have one of them. */
export const algorithms = [-8, -7, -257];

/** The longest public key, in bytes: one of RSA with 4,096 bits has about 520. */
const maxKeyBytes = 600;

/** An answer of a browser with the question that it is to answer. */
interface Answered<T> {
  answer: T;
  challenge: string;
  party: RelyingParty;
}

/**
 * The key of a passkey that was made. What the maker of the authenticator vouches for is not asked,
 * so statements that name certificates are refused: the library would fetch their revocation lists
 * from addresses in them (server-side request forgery).
 *
 * @throws DomainError `invalid_option` for an answer that proves nothing
 */
export async function readNewPasskey(
  { answer, challenge, party }: Answered<NewPasskey>,
): Promise<Pick<StoredPasskey, "id" | "publicKey" | "counter">> {
  const { verifyRegistrationResponse } = await import("@simplewebauthn/server");
  const { decodeAttestationObject, isoBase64URL } = await import("@simplewebauthn/server/helpers");
  try {
    const { attestationObject } = answer.response;
    const statement = decodeAttestationObject(isoBase64URL.toBuffer(attestationObject));
    const format = statement.get("fmt");
    const isPlain = format === "none" ||
      format === "packed" && statement.get("attStmt").get("x5c") === undefined;
    if (!isPlain) throw new Error("it has an attestation, which was not requested");
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: { ...answer, clientExtensionResults: {} },
      expectedChallenge: challenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      requireUserVerification: true,
      supportedAlgorithmIDs: algorithms,
    });
    if (!verified) throw new Error("its signature is wrong");
    const { id, publicKey, counter } = registrationInfo.credential;
    if (publicKey.length > maxKeyBytes) throw new Error("its key is too long");
    return { id, publicKey: isoBase64URL.fromBuffer(publicKey), counter };
  } catch (error) {
    throw new DomainError("invalid_option", `Cannot add the passkey: ${reasonOf(error)}`);
  }
}

/**
 * The signature counter of a passkey that has signed a challenge; null for an answer that proves
 * nothing. An authenticator that counts must have counted on: otherwise there is a copy of it.
 */
export async function counterOfAnswer(
  passkey: StoredPasskey,
  { answer, challenge, party }: Answered<PasskeyAnswer>,
): Promise<number | null> {
  const { verifyAuthenticationResponse } = await import("@simplewebauthn/server");
  const { isoBase64URL } = await import("@simplewebauthn/server/helpers");
  const { userHandle, ...response } = answer.response;
  if (userHandle !== "" && userHandle !== passkey.handle) return null;
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: { ...answer, response, clientExtensionResults: {} },
      expectedChallenge: challenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      requireUserVerification: true,
      credential: {
        id: passkey.id,
        publicKey: isoBase64URL.toBuffer(passkey.publicKey),
        counter: passkey.counter,
      },
    });
    return verified ? authenticationInfo.newCounter : null;
  } catch {
    // The library throws for whatever does not fit, malformed bytes of strangers included.
    return null;
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
