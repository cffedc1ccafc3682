import { text } from "../answers.ts";
import { headerNamed } from "../headers.ts";
import { schemaNamed } from "../references.ts";
import type { Schema } from "../types.ts";

/** The response that opens or renews a session. */
export const newToken = text("The token.", schemaNamed("Token"), {
  "Set-Cookie": headerNamed("SetToken"),
});

/** An answer of a passkey in place of a code. */
export const passkeyProof: Schema = {
  ...schemaNamed("PasskeyAnswer"),
  description: "In place of `code`: what a passkey of the user has signed, to a question of " +
    "`POST /api/login/passkey`.",
};
