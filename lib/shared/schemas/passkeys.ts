import * as v from "valibot";
import { maxPasskeyNameLength } from "./choices/choices.ts";
import { about, count, shape, time } from "./parts.ts";

/** The longest credential id in base64url, in characters: WebAuthn allows 1,023 bytes. */
const maxIdLength = 1_364;

/** The longest other part of a credential in base64url, in characters. */
const maxPartLength = 20_000;

const word = /^[\w-]+$/;

const credentialId = v.pipe(
  v.string("a text"),
  v.maxLength(maxIdLength, `at most ${maxIdLength} characters long`),
  v.regex(word, "base64url"),
);

const bytes = v.pipe(
  v.string("a text"),
  v.maxLength(maxPartLength, `at most ${maxPartLength} characters long`),
  v.regex(word, "base64url"),
);

const credential = {
  id: credentialId,
  rawId: credentialId,
  type: v.literal("public-key", '"public-key"'),
};

/** The schema of {@linkcode PasskeyInfo}. */
export const passkeySchema = about(
  "A passkey of a user.",
  v.object({
    id: about("The id of the credential, in base64url.", v.string()),
    name: about("As its user has named it.", v.string()),
    host: about("The name of the site as it was then: it works nowhere else.", v.string()),
    created: time,
    lastUsed: about("The time of the last sign-in or confirmation by it.", v.nullable(time)),
  }),
);

/** A passkey, as its owner sees it. */
export type PasskeyInfo = v.InferOutput<typeof passkeySchema>;

const challenge = about("In base64url; valid once, for ten minutes.", v.string());

const timeout = about("How long the browser waits for its user, in milliseconds.", count);

const publicKey = v.literal("public-key");

/** The schema of {@linkcode PasskeyCreation}. */
export const passkeyCreationSchema = about(
  "What the browser makes a passkey by: `PublicKeyCredentialCreationOptionsJSON` of WebAuthn.",
  v.object({
    challenge,
    rp: v.object({ id: v.string(), name: v.string() }),
    user: v.object({ id: v.string(), name: v.string(), displayName: v.string() }),
    pubKeyCredParams: v.array(v.object({ type: publicKey, alg: v.pipe(v.number(), v.integer()) })),
    timeout,
    attestation: v.literal("none"),
    excludeCredentials: about(
      "The passkeys that the user has.",
      v.array(v.object({ type: publicKey, id: v.string() })),
    ),
    authenticatorSelection: v.object({
      residentKey: v.literal("required"),
      requireResidentKey: v.literal(true),
      userVerification: v.literal("required"),
    }),
  }),
);

/** The options by which the browser makes a passkey. */
export type PasskeyCreation = v.InferOutput<typeof passkeyCreationSchema>;

/** The schema of {@linkcode PasskeyQuestion}. */
export const passkeyQuestionSchema = about(
  "What the browser has a passkey sign: `PublicKeyCredentialRequestOptionsJSON` of WebAuthn.",
  v.object({ challenge, rpId: v.string(), timeout, userVerification: v.literal("required") }),
);

/** The challenge that the browser has a passkey sign. */
export type PasskeyQuestion = v.InferOutput<typeof passkeyQuestionSchema>;

/** The schema of {@linkcode NewPasskey}. */
export const newPasskeySchema = v.pipe(
  shape({
    ...credential,
    response: shape({
      clientDataJSON: bytes,
      attestationObject: bytes,
    }),
  }),
  v.description("A passkey that was made: `RegistrationResponseJSON` of WebAuthn."),
);

/** A passkey that a browser has made. */
export type NewPasskey = v.InferOutput<typeof newPasskeySchema>;

/** The schema of {@linkcode PasskeyAnswer}. */
export const passkeyAnswerSchema = v.pipe(
  shape({
    ...credential,
    response: shape({
      clientDataJSON: bytes,
      authenticatorData: bytes,
      signature: bytes,
      userHandle: v.nullish(v.pipe(v.string("a text"), v.maxLength(100), v.regex(word)), ""),
    }),
  }),
  v.description("What a passkey has signed: `AuthenticationResponseJSON` of WebAuthn."),
);

/** The signed answer of a passkey. */
export type PasskeyAnswer = v.InferOutput<typeof passkeyAnswerSchema>;

/** The schema of a passkey's name. */
const passkeyNameSchema = v.pipe(
  v.string("a text"),
  v.trim(),
  v.minLength(1, "a name"),
  v.maxLength(maxPasskeyNameLength, `at most ${maxPasskeyNameLength} characters long`),
  v.check((name) => !/\p{Cc}/u.test(name), "a text without control characters"),
);

/** The schema of what changes of a passkey. */
export const passkeyChangeSchema = shape({ name: passkeyNameSchema });

/** The schema of a passkey that is added: its name, and what the browser has made. */
export const addedPasskeySchema = shape({ name: passkeyNameSchema, credential: newPasskeySchema });
