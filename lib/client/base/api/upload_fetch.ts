import type { Fetch } from "./calls.ts";

/**
 * A `fetch` that reports how many bytes of a body have been sent, as XMLHttpRequest alone does. A
 * file that was changed or removed since it was chosen fails with `NotReadableError`, not like a
 * lost connection.
 */
export function fetchReporting(onProgress: (sent: number) => void): Fetch {
  return (address, { method = "GET", headers, body, signal }) =>
    new Promise((resolve, reject) => {
      const request = new XMLHttpRequest();
      const abort = () => request.abort();
      const giveUp = () => reject(new DOMException("The call was given up", "AbortError"));
      if (signal?.aborted) return giveUp();
      request.open(method, address);
      for (const [name, value] of new Headers(headers)) request.setRequestHeader(name, value);
      request.upload.onprogress = ({ loaded }) => onProgress(loaded);
      request.onload = () => {
        const { status, responseText } = request;
        const answered = new Headers();
        for (const line of request.getAllResponseHeaders().split("\r\n").filter(Boolean)) {
          const colon = line.indexOf(":");
          answered.append(line.slice(0, colon), line.slice(colon + 1));
        }
        resolve(new Response(responseText || null, { status, headers: answered }));
      };
      request.onerror = async () => {
        const isLost = !(body instanceof Blob) || await isReadable(body);
        reject(isLost ? new TypeError("No answer") : new DOMException("", "NotReadableError"));
      };
      request.onabort = giveUp;
      request.onloadend = () => signal?.removeEventListener("abort", abort);
      signal?.addEventListener("abort", abort);
      request.send(body as Blob);
    });
}

function isReadable(file: Blob): Promise<boolean> {
  return file.slice(0, 1).arrayBuffer().then(() => true, () => false);
}
