import { json, text } from "../answers.ts";
import { call } from "../call.ts";
import { schemaNamed } from "../schemas.ts";
import type { PathItem } from "../types.ts";

const tag = "Server";

/** The calls about the index of content search. */
export const contentsCalls: Record<string, PathItem> = {
  "/api/contents": {
    get: call({
      id: "contentIndex",
      tag,
      summary: "Say how far the index of content search is",
      description: "For administrators.",
      auth: "cookie",
      answers: { 200: json("How far it is.", schemaNamed("ContentIndex")) },
    }),
    post: call({
      id: "rebuildContentIndex",
      tag,
      summary: "Have the index of content search built anew",
      description: "For administrators. The work begins within a second or so; until it is done, " +
        "searches find less.",
      auth: "token",
      answers: { 200: text("It will be.", schemaNamed("Done")) },
      refusals: ["not_supported"],
    }),
  },
};
