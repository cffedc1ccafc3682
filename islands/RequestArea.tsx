import { AddFiles, type AddFilesProps } from "../lib/client/request_page/AddFiles.tsx";

export { RequestPage as RequestArea } from "../lib/client/request_page/RequestPage.tsx";

/** See {@linkcode AddFiles}: in this file, as it loads what the page of a request does. */
export function AddArea(props: AddFilesProps) {
  return <AddFiles {...props} />;
}
