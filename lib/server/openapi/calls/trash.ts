import { bytes, json, text } from "../answers.ts";
import { call } from "../call.ts";
import { headerNamed } from "../headers.ts";
import { conditions, pageParameters, parameterNamed } from "../parameters.ts";
import { schemaNamed } from "../schemas.ts";
import type { Parameter, PathItem } from "../types.ts";
import { ofBytes, partAnswers, rangeParameters } from "./content.ts";

const tag = "Resources";

const done = text("It is done.", schemaNamed("Done"));

const id: Parameter = {
  name: "id",
  in: "path",
  required: true,
  description: "As the list has it, and `Content-Location` of the deletion.",
  schema: { type: "string" },
  example: "0mb3k2x9q-5f0c1d2e3a4b5c6d",
};

/** The calls about a user's trash. */
export const trashCalls: Record<string, PathItem> = {
  "/api/trash": {
    get: call({
      id: "listTrash",
      tag,
      summary: "List one's own trash",
      auth: "cookie",
      parameters: [
        {
          name: "query",
          in: "query",
          description: "Words that the names hold, in any case.",
          schema: { type: "string" },
        },
        {
          name: "versions",
          in: "query",
          description: "A path: lists the former versions of that file, which are not listed " +
            "otherwise.",
          schema: { type: "string" },
        },
        {
          name: "all",
          in: "query",
          description: "Lists former versions of all files among the rest: what counts in a quota.",
          schema: { type: "boolean" },
        },
        ...pageParameters("1,000 unless given, and no more"),
      ],
      answers: { 200: json("What can be restored.", schemaNamed("Trash")) },
      refusals: ["invalid_option"],
    }),
    delete: call({
      id: "emptyTrash",
      tag,
      summary: "Delete all of one's trash for good",
      description:
        "Needs the permission to delete. What lies on a disk that is not mounted or is " +
        "read-only stays in the trash: the rest is deleted, then the call is refused.",
      auth: "token",
      answers: { 200: done },
    }),
  },

  "/api/trash/usage": {
    get: call({
      id: "trashUsage",
      tag,
      summary: "Tell how much the trash of each user holds",
      description: "For administrators. Folders are measured when this is asked first: for up to " +
        "three seconds, then in the background.",
      auth: "cookie",
      answers: { 200: json("What it holds.", schemaNamed("TrashUsage")) },
    }),
  },

  "/api/trash/{id}": {
    get: call({
      id: "readTrashed",
      tag,
      summary: "Read a file in the trash",
      description: "Also a former version. Needs the permission to download, and that nothing " +
        "denies the path on which it was.",
      auth: "cookie",
      parameters: [id, parameterNamed("Inline"), ...rangeParameters, ...conditions],
      answers: {
        200: bytes("The file.", ["*/*"], {
          ...ofBytes,
          "Content-Length": headerNamed("Length"),
        }),
        ...partAnswers,
      },
      refusals: [
        "not_found",
        "is_folder",
        "not_a_file",
        "precondition_failed",
        "range_not_satisfiable",
      ],
    }),
    post: call({
      id: "restore",
      tag,
      summary: "Restore an entry with all that is in it",
      description: "Needs the permission to create. It goes back where it was; under another " +
        "name, `a(1).txt`, where that is taken. Missing folders are made.",
      auth: "token",
      parameters: [
        id,
        {
          name: "override",
          in: "query",
          description: "`true` puts a file in place of the one that is there, which is kept as a " +
            "former version. Needs the permission to modify as well.",
          schema: { type: "boolean", default: false },
        },
      ],
      answers: {
        200: { ...done, headers: { "Content-Location": headerNamed("ContentLocation") } },
      },
      refusals: ["not_found", "exists", "disk_full", "read_only"],
    }),
    delete: call({
      id: "removeFromTrash",
      tag,
      summary: "Delete an entry in the trash for good",
      description: "Needs the permission to delete.",
      auth: "token",
      parameters: [id],
      answers: { 200: done },
      refusals: ["not_found"],
    }),
  },
};
