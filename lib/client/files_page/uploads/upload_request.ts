import { failureOfAnswer, failureOfThrow } from "../../base/api/answer.ts";
import { type Failure, failure, type Result, success } from "../../../shared/result.ts";
import { isAway } from "../../base/api/connection.ts";
import type { PauseReason } from "./lazy_uploads.ts";
import type { Api } from "../../base/api/api.ts";
import type { EntryPath } from "../../../shared/path.ts";

/** The calls that uploads need. */
export type UploadApi = Pick<Api, "uploadTarget" | "calls">;

/** Options of an upload request. */
export interface SendOptions {
  /** Replaces an existing file. */
  override: boolean;
  /** The id of the job that it is a part of. */
  job?: string;
  /** Called with the bytes sent so far. */
  onProgress: (sent: number) => void;
  signal: AbortSignal;
}

/** One request of an upload. */
export interface UploadRequest {
  method: "POST" | "PATCH" | "HEAD" | "DELETE";
  url: string;
  headers: Record<string, string>;
  body?: Blob | Uint8Array<ArrayBuffer>;
}

/** Uploads a small file in one request. */
export async function sendWhole(
  api: UploadApi,
  at: EntryPath,
  file: File,
  { override, job, keepsModified, ...options }: SendOptions & { keepsModified: boolean },
): Promise<Result<void>> {
  const modified = keepsModified ? file.lastModified : undefined;
  const target = api.uploadTarget("resources", at, { override, modified, job });
  const answer = await sendRequest(api, { method: "POST", ...target, body: file }, options);
  if (answer.ok) return success(undefined);
  const isLost = answer.code === "offline" && !await isReadable(file);
  return isLost ? failure(0, "unreadable", "The file can't be read any more") : answer;
}

/**
 * Sends one request by XMLHttpRequest, because `fetch` reports no upload progress.
 *
 * @returns the headers of a successful answer
 */
export function sendRequest(
  api: UploadApi,
  { method, url, headers, body }: UploadRequest,
  { onProgress, signal }: Pick<SendOptions, "onProgress" | "signal">,
): Promise<Result<Pick<XMLHttpRequest, "getResponseHeader">>> {
  return new Promise((resolve) => {
    const request = new XMLHttpRequest();
    const abort = () => request.abort();
    const settle = (result: Result<XMLHttpRequest>) => {
      signal.removeEventListener("abort", abort);
      resolve(result);
    };
    request.open(method, url);
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.upload.onprogress = ({ loaded }) => onProgress(loaded);
    request.onload = () => {
      const { status } = request;
      const renewToken = request.getResponseHeader("x-renew-token");
      api.calls.observeResponse({ status, renewToken }, headers["x-auth"] ?? null);
      const good = status >= 200 && status < 300;
      const retryAfter = request.getResponseHeader("retry-after");
      settle(good ? success(request) : failureOfAnswer(status, request.responseText, retryAfter));
    };
    request.onerror = () => {
      api.calls.observeResponse({ status: 0, renewToken: null }, null);
      settle(failureOfThrow(null));
    };
    request.onabort = () => settle(failureOfThrow(new DOMException("", "AbortError")));
    signal.addEventListener("abort", abort);
    if (signal.aborted) return settle(failureOfThrow(new DOMException("", "AbortError")));
    request.send(body);
  });
}

/** A file changed or removed since it was chosen looks like a lost connection. */
function isReadable(file: Blob): Promise<boolean> {
  return file.slice(0, 1).arrayBuffer().then(() => true, () => false);
}

/** The reason to pause the whole queue after a failure; null when it concerns one upload only. */
export function pauseReason({ status, code }: Failure): PauseReason | null {
  if (code === "not_signed_in") return "session";
  if (code === "throttled") return "throttle";
  return isAway(status) && (code === "offline" || status > 0) ? "server" : null;
}
