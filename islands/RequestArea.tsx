import "../lib/client/site/open_site.ts";
import { lazy } from "../lib/client/core/lazy.ts";
import { useLazy } from "../lib/client/core/use_site.ts";
import { AddFiles, type AddFilesProps } from "../lib/client/request_page/AddFiles.tsx";
import type { ShareEditorProps } from "../lib/client/share_page/ShareEditor.tsx";

const editor = lazy(() => import("../lib/client/share_page/ShareEditor.tsx"));

export { RequestPage as RequestArea } from "../lib/client/request_page/RequestPage.tsx";

/** See {@linkcode AddFiles}: in this file, as it loads what the page of a request does. */
export function AddArea(props: AddFilesProps) {
  return <AddFiles {...props} />;
}

/** See `ShareEditor`: likewise. */
export function EditArea(props: ShareEditorProps) {
  const code = useLazy(editor, true);
  return code && <code.ShareEditor {...props} />;
}
