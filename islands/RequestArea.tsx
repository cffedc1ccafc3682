import "../lib/client/base/open_site.ts";
import { lazy } from "../lib/client/base/core/lazy.ts";
import { useLazy } from "../lib/client/base/core/use_site.ts";
import { AddFiles, type AddFilesProps } from "../lib/client/screens/request_page/SendForm.tsx";
import type { SharedOfficeProps } from "../lib/client/screens/share_page/SharedOffice.tsx";
import type { ShareEditorProps } from "../lib/client/screens/share_page/ShareEditor.tsx";

const office = lazy(() => import("../lib/client/screens/share_page/SharedOffice.tsx"));
const editor = lazy(() => import("../lib/client/screens/share_page/ShareEditor.tsx"));

export { PlayMusic, SharedViewer } from "../lib/client/screens/share_page/SharedViewer.tsx";
export { RequestPage as RequestArea } from "../lib/client/screens/request_page/RequestPage.tsx";

/** See {@linkcode AddFiles}: in this file, as it loads what the page of a request does. */
export function AddArea(props: AddFilesProps) {
  return <AddFiles {...props} />;
}

/** See `SharedOffice`: likewise. */
export function OfficeArea({ entry }: SharedOfficeProps) {
  const code = useLazy(office, true);
  return code && <code.SharedOffice entry={entry} />;
}

/** See `ShareEditor`: likewise. */
export function EditArea(props: ShareEditorProps) {
  const code = useLazy(editor, true);
  return code && <code.ShareEditor {...props} />;
}
