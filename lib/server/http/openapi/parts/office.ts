import { json, schemaNamed } from "../answers.ts";
import type { Parameter } from "../types.ts";

/** The answer of the calls that open a document. */
export const openedDocument = json("The editor, and its token.", schemaNamed("OpenedDocument"));

/** How a document is opened. */
export const openingParameters: Parameter[] = [
  {
    name: "right",
    in: "query",
    description: "`view` opens it to read only. By default it is opened to edit, if you may.",
    schema: { type: "string", enum: ["view", "edit"] },
  },
  {
    name: "language",
    in: "query",
    description: "The language of the editor, such as `pt-BR`; yours by default.",
    schema: { type: "string" },
  },
  {
    name: "theme",
    in: "query",
    description: "The theme of the editor; its own by default. Not every editor has both.",
    schema: { type: "string", enum: ["light", "dark"] },
  },
];

/** The name of a visitor without an account. */
export const visitorName: Parameter = {
  name: "name",
  in: "query",
  description: "The name that a visitor without an account gives: at most 40 characters, which " +
    "others see with `(guest)` behind them, in their language; the activity log has it in English. " +
    "A session has its own.",
  schema: { type: "string" },
};
