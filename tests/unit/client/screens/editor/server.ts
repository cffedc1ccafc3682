/** A server with one folder of texts, and a text of it that is open. */
import { Text } from "@codemirror/state";
import { parsePath } from "../../../../../lib/shared/path.ts";
import type { Resource } from "../../../../../lib/shared/schemas/entry.ts";
import { TextFile } from "../../../../../lib/client/screens/editor/text_file.ts";
import { Prompts } from "../../../../../lib/client/base/prompts/prompts.ts";
import { fileNamed, type Heard, speakTo } from "../../support.ts";

/** A text as it lies on the server. */
export interface Lying {
  content: string;
  version: number;
  encoding?: string;
  type?: Resource["type"];
}

/** Opens "/notes.txt" of a server that holds `files`; `refuse` answers in the server's place. */
export function openNotes(
  first: Partial<Lying> = {},
  refuse: (heard: Heard) => Response | Promise<Response | void> | void = () => {},
) {
  const files = new Map<string, Lying>([
    ["/notes.txt", { content: "one\ntwo\n", version: 1, ...first }],
  ]);
  const spoken = speakTo(async (heard) => {
    const refusal = await refuse(heard);
    if (refusal) return refusal;
    const path = decodeURIComponent(heard.path.slice("/api/resources".length));
    const file = files.get(path);
    if (heard.method === "POST") {
      if (file) return error(409, "exists");
      files.set(path, { content: "", version: 1 });
      return new Response("OK");
    }
    if (!file) return error(404, "not_found");
    if (heard.method === "DELETE") {
      return new Response(null, { status: files.delete(path) ? 200 : 404 });
    }
    if (heard.method === "PUT") {
      const wanted = heard.headers.get("if-match");
      if (wanted !== null && wanted !== tagOf(file)) return error(412, "precondition_failed");
      file.content = heard.body;
      file.version++;
      return new Response("OK", { headers: { etag: tagOf(file) } });
    }
    return Response.json(described(path, file), { headers: { etag: tagOf(file) } });
  });
  const prompts = new Prompts();
  let saves = 0;
  const file = new TextFile({
    api: spoken.api,
    path: parsePath("/notes.txt").path,
    onSaved: () => saves++,
  });
  return Object.assign(spoken, {
    files,
    file,
    prompts,
    /** How often the user was told that something is saved. */
    saves: () => saves,
    /** What lies at a path. */
    content: (path = "/notes.txt") => files.get(path)?.content,
    /** Somebody else writes. */
    overwrite: (content: string, path = "/notes.txt") => {
      const version = (files.get(path)?.version ?? 0) + 1;
      files.set(path, { content, version });
    },
    /** The file as a listing would tell it now. */
    told: (): Resource => {
      const now = files.get("/notes.txt") ?? { content: "", version: 0 };
      return { ...described("/notes.txt", now), version: tagOf(now) };
    },
  });
}

/** The user types until the text is this. */
export function type(file: TextFile, text: string): void {
  file.edited(Text.of(text.split("\n")));
}

/** An answer that refuses. */
export function error(status: number, code: string): Response {
  return Response.json({ code, message: code }, { status });
}

function tagOf({ version }: Lying): string {
  return `"${version}"`;
}

function described(path: string, { content, encoding = "utf-8", type = "text" }: Lying): Resource {
  const lineEnding = /\r\n/.test(content) ? /[^\r]\n/.test(content) ? "mixed" : "crlf" : "lf";
  return { ...fileNamed(path.slice(1)), path, type, content, encoding, lineEnding };
}
