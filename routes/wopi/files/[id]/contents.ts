import { define } from "../../../../lib/server/http/define.ts";
import { readDocument, saveDocument } from "../../../../lib/server/http/wopi/wopi_files.ts";

/** The content of a document for the office server: GetFile and PutFile. */
export const handler = define.handlers({ GET: readDocument, POST: saveDocument });
