import { failureOfAnswer, failureOfThrow } from "../api/answer.ts";
import { failure, type Result, success } from "../../shared/result.ts";
import type { Api } from "../api/api.ts";
import type { EntryPath } from "../../shared/path.ts";

/** Options of an upload request. */
export interface SendOptions {
  /** Replaces an existing file. */
  override: boolean;
  /** Called with the bytes sent so far. */
  onProgress: (sent: number) => void;
  signal: AbortSignal;
}

/** Uploads a file, by XMLHttpRequest, because `fetch` reports no upload progress. */
export function sendFile(
  api: Pick<Api, "uploadTarget" | "observeResponse">,
  at: EntryPath,
  file: Blob,
  { override, onProgress, signal }: SendOptions,
): Promise<Result<void>> {
  const { url, headers } = api.uploadTarget(at, override);
  return new Promise((resolve) => {
    const request = new XMLHttpRequest();
    const abort = () => request.abort();
    const settle = (result: Result<void>) => {
      signal.removeEventListener("abort", abort);
      resolve(result);
    };
    request.open("POST", url);
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.upload.onprogress = ({ loaded }) => onProgress(loaded);
    request.onload = () => {
      const { status } = request;
      const renewToken = request.getResponseHeader("x-renew-token");
      api.observeResponse({ status, renewToken }, headers["x-auth"] ?? null);
      const good = status >= 200 && status < 300;
      const retryAfter = request.getResponseHeader("retry-after");
      settle(good ? success(undefined) : failureOfAnswer(status, request.responseText, retryAfter));
    };
    request.onerror = async () => {
      if (!await isReadable(file)) {
        return settle(failure(0, "unreadable", "The file can't be read any more"));
      }
      api.observeResponse({ status: 0, renewToken: null }, null);
      settle(failureOfThrow(null));
    };
    request.onabort = () => settle(failureOfThrow(new DOMException("", "AbortError")));
    signal.addEventListener("abort", abort);
    request.send(file);
  });
}

/** A file changed or removed since it was chosen looks like a lost connection. */
function isReadable(file: Blob): Promise<boolean> {
  return file.slice(0, 1).arrayBuffer().then(() => true, () => false);
}
