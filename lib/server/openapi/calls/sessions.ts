import { json, list, text } from "../answers.ts";
import { call } from "../call.ts";
import { headerNamed, headers } from "../headers.ts";
import { badJson, captchaProof, jsonBody } from "../json_body.ts";
import { listParameters } from "../parameters.ts";
import { schemaNamed } from "../schemas.ts";
import type { PathItem, Schema } from "../types.ts";

const tag = "Sessions";

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

/** The calls that open, renew, list and end sessions. */
export const sessionCalls: Record<string, PathItem> = {
  "/api/login": {
    post: call({
      id: "login",
      tag,
      summary: "Begin a session",
      description:
        "Gives a token for a name and password; its parts are told of in `TokenClaims`. " +
        "Where the server vouches for users (`proxy`, `noauth`) no body is read.\n\n" +
        "A user with a second factor is refused with `second_factor_required` once name and " +
        "password are right, with what the user has as `factors`; the same call with `code` or " +
        "`passkey` signs in.\n\n" +
        "Unknown names are refused like wrong passwords. Within 15 minutes, five failures for one " +
        "account from one address, twenty from one address or fifty for one account close the door " +
        "for a while that grows.",
      auth: "none",
      body: jsonBody({
        username: { type: "string" },
        password: { type: "string" },
        recaptcha: captchaProof,
        code: {
          type: "string",
          description:
            "A code of the user's authenticator app, or a recovery code. Each counts once.",
        },
        passkey: passkeyProof,
      }, ["username", "password"]),
      answers: { 200: newToken },
      refusals: [...badJson, "wrong_credentials", "second_factor_required", "throttled"],
    }),
  },

  "/api/login/passkey": {
    post: call({
      id: "askPasskey",
      tag,
      summary: "Ask for a passkey",
      description: "Gives what a browser has a passkey sign (`navigator.credentials.get`), for " +
        "the host name of the request. It is answered once, within ten minutes: by the call " +
        "below, or as `passkey` where a code would be sent.",
      auth: "none",
      answers: { 200: json("For the browser.", schemaNamed("PasskeyQuestion")) },
    }),
    put: call({
      id: "loginByPasskey",
      tag,
      summary: "Begin a session by a passkey alone",
      description:
        "Wrong answers count like wrong passwords. Refused where a directory, a program or a " +
        "provider decides who may sign in.",
      auth: "none",
      body: {
        ...jsonBody({}, ["id"]),
        content: { "application/json": { schema: schemaNamed("PasskeyAnswer") } },
      },
      answers: { 200: newToken },
      refusals: [...badJson, "wrong_credentials", "throttled"],
    }),
  },

  "/api/renew": {
    post: call({
      id: "renew",
      tag,
      summary: "Exchange a token for the next one of its session",
      description:
        "The token of `X-Auth` and those before it go on until each expires or the session ends, " +
        "and may be renewed as well: tabs and scripts that hold a token each stay signed in. With " +
        "`X-Auth: cookie` the token of the cookie is renewed, which all tabs share. Former tokens " +
        "then live for 30 seconds more, since two tabs may renew at once. Who uses one after that " +
        "ends the whole session: it may have been stolen.",
      auth: "token",
      answers: { 200: newToken },
    }),
  },

  "/api/logout": {
    post: call({
      id: "logout",
      tag,
      summary: "End the session of the token",
      auth: "token",
      answers: {
        200: text("The session is gone.", schemaNamed("Empty"), {
          "Set-Cookie": headerNamed("ForgetToken"),
        }),
      },
      refusals: ["disk_full"],
    }),
  },

  "/api/sessions": {
    get: call({
      id: "listSessions",
      tag,
      summary: "List one's own sessions",
      auth: "cookie",
      parameters: listParameters("the agent and the address"),
      answers: { 200: list("The living ones, newest first.", schemaNamed("Session")) },
      refusals: ["invalid_option"],
    }),
    delete: call({
      id: "endOtherSessions",
      tag,
      summary: "End all of one's own sessions but this one",
      auth: "token",
      answers: { 200: text("They are gone.", schemaNamed("Empty")) },
    }),
  },

  "/api/sessions/{sid}": {
    delete: call({
      id: "endSession",
      tag,
      summary: "End one of one's own sessions",
      auth: "token",
      parameters: [{
        name: "sid",
        in: "path",
        required: true,
        description: "The session, as `GET /api/sessions` names it.",
        schema: { type: "string", pattern: "^[\\w-]+$" },
      }],
      answers: {
        200: text(
          "It is gone; when it was this one, the cookie is as well.",
          schemaNamed("Empty"),
          {
            "Set-Cookie": { ...headers.ForgetToken, required: false },
          },
        ),
      },
      refusals: ["not_found", "disk_full"],
    }),
  },

  "/api/ticket": {
    post: call({
      id: "makeTicket",
      tag,
      summary: "Make a ticket for an address that can carry no header",
      description: "A ticket stands for the session in `?auth=` of one path and one use, for a " +
        "minute: a link to be opened elsewhere, a player, a WebSocket. It ends with its session.",
      auth: "token",
      body: jsonBody({
        path: { type: "string", description: "Not percent-encoded." },
        use: { type: "string", enum: ["raw", "command"] },
      }, ["path", "use"]),
      answers: { 200: text("The ticket.", schemaNamed("Token")) },
      refusals: [...badJson, "invalid_path", "invalid_option"],
    }),
  },
};
