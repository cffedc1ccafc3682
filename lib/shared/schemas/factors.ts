import * as v from "valibot";
import { about, count } from "./parts.ts";
import { passkeySchema } from "./passkeys.ts";

/** The schema of {@linkcode Factors}. */
export const factorsSchema = about(
  "The second factors of a user.",
  v.object({
    totp: about("An authenticator app makes codes.", v.boolean()),
    passkeys: about("The oldest first.", v.array(passkeySchema)),
    recoveryCodes: about("How many recovery codes are left.", count),
  }),
);

/** The second factors of a user, without their secrets. */
export type Factors = v.InferOutput<typeof factorsSchema>;

/** The schema of {@linkcode TotpSetup}. */
export const totpSetupSchema = about(
  "An authenticator app that is about to be set up.",
  v.object({
    setup: about("To be sent back within 15 minutes, with a code of the app.", v.string()),
    secret: about("For typing it into the app, in base32.", v.string()),
    uri: about("For a QR code: the secret with the names of site and user.", v.string()),
  }),
);

/** An authenticator app that is about to be set up. */
export type TotpSetup = v.InferOutput<typeof totpSetupSchema>;

/** The schema of {@linkcode RecoveryCodes}. */
export const recoveryCodesSchema = about(
  "New recovery codes, which are never shown again.",
  v.object({
    recoveryCodes: v.array(v.string()),
    token: v.optional(
      about("The new token, where the former one has died of the change.", v.string()),
    ),
  }),
);

/** New recovery codes, with the token of the session. */
export type RecoveryCodes = v.InferOutput<typeof recoveryCodesSchema>;
