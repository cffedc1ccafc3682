import type { ErrorCode } from "../../../../shared/errors.ts";
import { type JsonBody, jsonBody } from "../json_body.ts";
import { headerNamed, schemaNamed, text } from "../answers.ts";
import type { Schema } from "../types.ts";

/** A user, in the path. */
export const userParameter = {
  name: "id",
  in: "path" as const,
  required: true,
  description: "The user's number.",
  schema: { type: "integer", minimum: 1 } satisfies Schema,
};

/** The field that proves that it is the user who asks. */
export const currentPassword: Schema = {
  type: "string",
  description: "Your password, needed to grant or revoke rights: to add or remove a user, and to " +
    "change a name, password, scope, permissions, rules or commands. Not needed where " +
    "the server vouches for its users.",
};

/** Errors of invalid user fields, or of missing permissions. */
export const badUser: readonly ErrorCode[] = [
  "invalid_name",
  "invalid_password",
  "invalid_path",
  "invalid_rule",
  "wrong_credentials",
  "throttled",
];

/** Objects of the body that clients of File Browser fill, some with members that mean nothing here. */
const lenientAt = ["", "data", ...["perm", "sorting", "rules[]", "rules[].regexp"].map(ofData)];

function ofData(name: string): string {
  return `data.${name}`;
}

/**
 * The body of a call that adds or changes a user.
 *
 * @param about the meaning of `data` in the call
 */
export function userBody(about: string): JsonBody {
  return jsonBody(
    {
      what: { type: "string", const: "user" },
      which: {
        type: ["array", "null"],
        items: { type: "string" },
        description: "The names of the fields that are meant, in any case; `all` or none for all.",
      },
      data: { ...schemaNamed("UserFields"), description: about },
      current_password: currentPassword,
    },
    ["what", "data"],
    { lenientAt },
  );
}

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
