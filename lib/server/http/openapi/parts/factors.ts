import type { ErrorCode } from "../../../../shared/errors.ts";
import { passkeyProof } from "./sessions.ts";
import type { Schema } from "../types.ts";

/** The proof that it is the user, and no borrowed session. */
export const ownProofs: Record<string, Schema> = {
  current_password: { type: "string", description: "The user's own password." },
  code: {
    type: "string",
    description: "Of a user who has a second factor: a code of the app, or a recovery code.",
  },
  passkey: passkeyProof,
};

export const badProof: readonly ErrorCode[] = ["wrong_credentials", "throttled"];
