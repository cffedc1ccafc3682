import type { ErrorCode } from "../../../shared/errors.ts";
import { json, text } from "../answers.ts";
import { call } from "../call.ts";
import { headerNamed } from "../headers.ts";
import { badJson, jsonBody } from "../json_body.ts";
import { schemaNamed } from "../schemas.ts";
import type { Parameter, PathItem, Schema } from "../types.ts";
import { newToken, passkeyProof } from "./sessions.ts";
import { id } from "./users.ts";

const tag = "Sessions";

/** The proof that it is the user, and no borrowed session. */
const proofs: Record<string, Schema> = {
  current_password: { type: "string", description: "The user's own password." },
  code: {
    type: "string",
    description: "Of a user who has a second factor: a code of the app, or a recovery code.",
  },
  passkey: passkeyProof,
};

const unproved: readonly ErrorCode[] = [...badJson, "wrong_credentials", "throttled"];

/** The place of a passkey in the address. */
const passkeyId: Parameter = {
  name: "id",
  in: "path",
  required: true,
  description: "The passkey, as `GET /api/factors` names it.",
  schema: { type: "string", pattern: "^[\\w-]+$" },
};

/**
 * The calls about second factors. Those of the user are refused where no passwords are asked for.
 */
export const factorCalls: Record<string, PathItem> = {
  "/api/factors": {
    get: call({
      id: "getFactors",
      tag,
      summary: "Describe one's own second factors",
      auth: "cookie",
      answers: { 200: json("Without any secret.", schemaNamed("Factors")) },
    }),
  },

  "/api/factors/totp": {
    post: call({
      id: "beginTotp",
      tag,
      summary: "Begin to set up an authenticator app",
      description: "Gives a new secret for time-based codes (RFC 6238: SHA-1, six digits, 30 " +
        "seconds). It counts once the app has proved with a code to have it.",
      auth: "token",
      answers: { 200: json("The secret.", schemaNamed("TotpSetup")) },
    }),
    put: call({
      id: "addTotp",
      tag,
      summary: "Set up the authenticator app",
      description:
        "From then on, signing in takes a code besides the password. All sessions end; " +
        "the answer has a new token, and the recovery codes if this is the first factor.",
      auth: "token",
      body: jsonBody({
        setup: { type: "string", description: "As the call before has given it." },
        app_code: { type: "string", description: "A code that the app shows." },
        ...proofs,
      }, ["setup", "app_code", "current_password"]),
      answers: {
        200: json("It is set up.", schemaNamed("RecoveryCodes"), {
          "Set-Cookie": headerNamed("SetToken"),
        }),
      },
      refusals: [...unproved, "invalid_option", "not_found", "exists"],
    }),
    delete: call({
      id: "removeTotp",
      tag,
      summary: "Remove the authenticator app",
      description: "The recovery codes go with the last factor. All sessions end.",
      auth: "token",
      body: jsonBody(proofs, ["current_password"]),
      answers: { 200: newToken },
      refusals: [...unproved, "not_found"],
    }),
  },

  "/api/factors/recovery": {
    post: call({
      id: "renewRecoveryCodes",
      tag,
      summary: "Make one's recovery codes anew",
      description: "The former ones are worth nothing from then on.",
      auth: "token",
      body: jsonBody(proofs, ["current_password"]),
      answers: { 200: json("The new ones.", schemaNamed("RecoveryCodes")) },
      refusals: [...unproved, "not_found"],
    }),
  },

  "/api/factors/passkeys": {
    post: call({
      id: "beginPasskey",
      tag,
      summary: "Begin to set up a passkey",
      description: "Gives what a browser makes one by (`navigator.credentials.create`), for the " +
        "host name of the request. It is to be answered by the same session within ten minutes.",
      auth: "token",
      body: jsonBody(proofs, ["current_password"]),
      answers: { 200: json("For the browser.", schemaNamed("PasskeyCreation")) },
      refusals: [...unproved, "invalid_option"],
    }),
    put: call({
      id: "addPasskey",
      tag,
      summary: "Set up the passkey",
      description:
        "From then on it signs in alone, and signing in by the password takes a second factor. " +
        "All sessions end; the answer has a new token, and the recovery codes if this is the " +
        "first factor.",
      auth: "token",
      body: jsonBody({
        name: { type: "string", description: "To tell it from others: up to 60 characters." },
        credential: schemaNamed("NewPasskey"),
      }, ["name", "credential"]),
      answers: {
        200: json("It is set up.", schemaNamed("RecoveryCodes"), {
          "Set-Cookie": headerNamed("SetToken"),
        }),
      },
      refusals: [...badJson, "invalid_option", "not_found", "exists"],
    }),
  },

  "/api/factors/passkeys/{id}": {
    patch: call({
      id: "renamePasskey",
      tag,
      summary: "Rename a passkey",
      description: "Sessions go on, and no proof is asked for.",
      auth: "token",
      parameters: [passkeyId],
      body: jsonBody({
        name: { type: "string", description: "To tell it from others: up to 60 characters." },
      }, ["name"]),
      answers: { 200: json("The passkey.", schemaNamed("Passkey")) },
      refusals: [...badJson, "not_found"],
    }),
    delete: call({
      id: "removePasskey",
      tag,
      summary: "Remove a passkey",
      description: "The recovery codes go with the last factor. All sessions end.",
      auth: "token",
      parameters: [passkeyId],
      body: jsonBody(proofs, ["current_password"]),
      answers: { 200: newToken },
      refusals: [...unproved, "not_found"],
    }),
  },

  "/api/users/{id}/factors": {
    get: call({
      id: "getFactorsOf",
      tag: "Users",
      summary: "Describe the second factors of a user",
      description: "For administrators.",
      auth: "cookie",
      parameters: [id],
      answers: { 200: json("Without any secret.", schemaNamed("Factors")) },
      refusals: ["not_found"],
    }),
    delete: call({
      id: "resetFactors",
      tag: "Users",
      summary: "Remove the second factors of a user",
      description: "For administrators, and not of oneself. The user's sessions end.",
      auth: "token",
      parameters: [id],
      body: jsonBody({
        current_password: {
          type: "string",
          description:
            "The password of the one who asks; not where the server vouches for its users.",
        },
      }, []),
      answers: { 200: text("There are none any more.", schemaNamed("Empty")) },
      refusals: [...unproved, "not_found"],
    }),
  },
};
