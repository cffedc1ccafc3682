import * as v from "valibot";
import { about } from "./parts.ts";

/** The schema of {@linkcode OpenedDocument}. */
export const openedDocumentSchema = about(
  "A document that an editor of the office server may open.",
  v.object({
    address: about(
      "The address of the editor, to which a form posts `access_token` and `access_token_ttl` in a " +
        "frame.",
      v.string(),
    ),
    token: about("The `access_token`: for this document alone.", v.string()),
    expires: about(
      "The `access_token_ttl`: the end of the token, in milliseconds since 1970.",
      v.number(),
    ),
    right: about("What the editor may do.", v.picklist(["view", "edit"])),
    shareToken: v.optional(about(
      "Opens the share for two more hours, as its `token`; absent for one without a password.",
      v.string(),
    )),
  }),
);

/** A document that an editor of the office server may open. */
export type OpenedDocument = v.InferOutput<typeof openedDocumentSchema>;

/** The schema of {@linkcode OfficeCheck}. */
export const officeCheckSchema = about(
  "Whether the office server answers.",
  v.object({
    reason: about('Why it does not answer as an office server; "" when it does.', v.string()),
    address: about("Its address for this server.", v.string()),
    edits: about("How many formats it edits.", v.number()),
    views: about("How many formats it shows.", v.number()),
    isSigning: about("It has proof keys, by which its requests are told from others.", v.boolean()),
    callback: about("The address of this server that it uses. Not tested.", v.string()),
  }),
);

/** Whether the office server answers, as this server sees it. */
export type OfficeCheck = v.InferOutput<typeof officeCheckSchema>;
