import { json, text } from "../answers.ts";
import { call } from "../call.ts";
import { badJson, jsonLimits } from "../json_body.ts";
import { schemaNamed } from "../schemas.ts";
import type { PathItem } from "../types.ts";

const tag = "Server";

/** The calls that read and change the server's settings. */
export const settingsCalls: Record<string, PathItem> = {
  "/api/settings": {
    get: call({
      id: "getSettings",
      tag,
      summary: "Give the settings",
      description: "For administrators.",
      auth: "cookie",
      answers: { 200: json("The settings.", schemaNamed("Settings")) },
    }),
    put: call({
      id: "changeSettings",
      tag,
      summary: "Change the settings",
      description: "For administrators. What is left out stays as it is. Everything is looked at " +
        "before anything is stored, and holds at once, for sessions under way as well. Other rules, " +
        "command lines, a shell, default rights and signing up want `current_password`.",
      auth: "token",
      body: {
        description: jsonLimits,
        required: true,
        content: { "application/json": { schema: { type: "object" } } },
      },
      answers: { 200: text("They are changed.", schemaNamed("Empty")) },
      refusals: [...badJson, "invalid_path", "invalid_rule", "wrong_credentials", "throttled"],
    }),
  },
};
