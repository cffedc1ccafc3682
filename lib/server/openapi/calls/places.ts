import { json, text } from "../answers.ts";
import { call } from "../call.ts";
import { parameterNamed } from "../parameters.ts";
import { schemaNamed } from "../schemas.ts";
import type { PathItem } from "../types.ts";

const tag = "Resources";

const done = text("It is done.", schemaNamed("Done"));

/** The calls about a user's favourites and recent files. */
export const placeCalls: Record<string, PathItem> = {
  "/api/favorites": {
    get: call({
      id: "listFavorites",
      tag,
      summary: "List one's own favourites, in their order",
      description: "They follow entries that are renamed or moved. What a rule hides or lies " +
        "outside one's scope by now is left out.",
      auth: "cookie",
      answers: {
        200: json("The favourites.", { type: "array", items: schemaNamed("Favorite") }),
      },
    }),
  },

  "/api/favorites/{path}": {
    put: call({
      id: "putFavorite",
      tag,
      summary: "Star an entry, or move it in the order of the favourites",
      description: "One user has up to 100.",
      auth: "token",
      parameters: [
        parameterNamed("Path"),
        {
          name: "before",
          in: "query",
          description: "The path of a favourite that it comes before; it comes last without one.",
          schema: { type: "string" },
        },
      ],
      answers: { 200: done },
      refusals: ["invalid_path", "invalid_body", "not_found"],
    }),
    delete: call({
      id: "removeFavorite",
      tag,
      summary: "Remove an entry from the favourites",
      description: "Also one that is gone.",
      auth: "token",
      parameters: [parameterNamed("Path")],
      answers: { 200: done },
      refusals: ["invalid_path", "not_found"],
    }),
  },

  "/api/views/{path}": {
    put: call({
      id: "putView",
      tag,
      summary: "Remember how one looks at a folder",
      description: "In place of what was remembered of it. The 200 folders whose views were " +
        "changed last are remembered; they follow folders that are renamed or moved.",
      auth: "token",
      parameters: [parameterNamed("Path")],
      body: {
        description: "Up to 4 KiB: the view; what is left out is as the account says.",
        content: { "application/json": { schema: schemaNamed("FolderView") } },
      },
      answers: { 200: done },
      refusals: ["invalid_path", "invalid_json", "invalid_body", "not_found", "body_too_large"],
    }),
    delete: call({
      id: "removeView",
      tag,
      summary: "Forget how one looks at a folder, or at all",
      auth: "token",
      parameters: [
        parameterNamed("Path"),
        {
          name: "all",
          in: "query",
          description: "`true` forgets it of all folders, whatever the path.",
          schema: { type: "boolean", default: false },
        },
      ],
      answers: { 200: done },
      refusals: ["invalid_path"],
    }),
  },

  "/api/recent": {
    get: call({
      id: "listRecent",
      tag,
      summary: "List the files that one has used last",
      description: "The latest first, 100 at most. Uploads and saves are noted by themselves, up " +
        "to three seconds late; none where the user's `keepRecent` is off.",
      auth: "cookie",
      answers: {
        200: json("The files.", { type: "array", items: schemaNamed("RecentEntry") }),
      },
    }),
    delete: call({
      id: "clearRecent",
      tag,
      summary: "Forget the files that one has used",
      auth: "token",
      answers: { 200: done },
    }),
  },

  "/api/recent/{path}": {
    put: call({
      id: "noteRecent",
      tag,
      summary: "Note that one has opened a file",
      auth: "token",
      parameters: [parameterNamed("Path")],
      answers: { 200: done },
      refusals: ["invalid_path", "is_folder", "not_found"],
    }),
  },
};
