import type { Parameter } from "../types.ts";

/** How a page connects to a text. */
export const connecting: Parameter[] = [
  {
    name: "page",
    in: "query",
    description:
      "A random word of the page, the same for each of its connections: a new one takes " +
      "the place of one that has broken off.",
    schema: { type: "string", maxLength: 64 },
  },
  {
    name: "document",
    in: "query",
    description: "The history that the page has, from `saved`. With another one it is refused " +
      "(`precondition_failed`).",
    schema: { type: "string", maxLength: 64 },
  },
];

/** What is sent on the WebSocket. */
export const protocolDescription =
  "Messages are binary. The first varint is their kind; numbers, strings and bytes are encoded as " +
  "lib0 does it.\n\n" +
  "| kind | | content |\n| - | - | - |\n" +
  "| 0 | both ways | a message of `y-protocols/sync`, about the `Y.Text` named `text` |\n" +
  "| 1 | both ways | bytes: an update of `y-protocols/awareness`; the server says whose it is |\n" +
  "| 2 | from the server | varint: how many of your changes on this connection are durable |\n" +
  "| 3 | from the server | JSON: the file as it was saved, and the history; sent first |\n" +
  "| 4 | from the server | JSON: a refusal with its `code`; `closing` when the socket closes |\n" +
  "| 5 | from the server | JSON: who is in, every 15 seconds at least |\n" +
  "| 6 | from you | nothing: save now |\n\n" +
  "The text is saved two seconds after the last change, every 20 seconds while it is written, and " +
  "when all have left. A change of the file by another program is merged. Limits: 2 MiB of " +
  "Unicode text, 50 members, messages of 4 MiB, 100 messages and 256 KiB a second.\n\n" +
  "Refusals of an upgrade are sent on the socket, as browsers show no page the answer.";
