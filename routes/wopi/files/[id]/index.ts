import { define } from "../../../../lib/server/http/define.ts";
import {
  describeDocument,
  operateOnDocument,
} from "../../../../lib/server/http/wopi/wopi_files.ts";

/** A document for the office server: CheckFileInfo, and the operations on it. */
export const handler = define.handlers({ GET: describeDocument, POST: operateOnDocument });
