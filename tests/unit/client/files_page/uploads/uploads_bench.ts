/** An upload queue before a server, and what tests of it share. */
import assert from "node:assert/strict";
import { parsePath } from "../../../../../lib/shared/path.ts";
import type { There } from "../../../../../lib/client/files_page/actions/conflicts.ts";
import type { Incoming } from "../../../../../lib/client/files_page/drag/dropped.ts";
import { LazyUploads } from "../../../../../lib/client/files_page/uploads/lazy_uploads.ts";
import { Prompts } from "../../../../../lib/client/base/prompts/prompts.ts";
import type { UploadsOutcome } from "../../../../../lib/client/files_page/uploads/upload_queue.ts";
import type { UploadsOptions } from "../../../../../lib/client/files_page/uploads/lazy_uploads.ts";
import { type Heard, speakTo, type Spoken } from "../../support.ts";
import { FakeRequest } from "../../xhr.ts";

/** The folder that they go to. */
export const photos = parsePath("/photos").path;

/** A window of which only the warning is of interest. */
class Leavable extends EventTarget {
  /** Whether the browser would ask before it leaves the page. */
  get warns(): boolean {
    return !this.dispatchEvent(new Event("beforeunload", { cancelable: true }));
  }
}

/** The queue, and all that it works with. */
export interface Bench extends Spoken {
  options: UploadsOptions;
  uploads: LazyUploads;
  prompts: Prompts;
  window: Leavable;
  outcomes: UploadsOutcome[];
  known: There | null;
}

/** An upload queue before a server on which nothing is taken, unless `answer` says otherwise. */
export function bench(
  answer: (heard: Heard) => number = ({ method }) => method === "HEAD" ? 404 : 200,
) {
  const spoken = speakTo((heard) => new Response(null, { status: answer(heard) }));
  const prompts = new Prompts();
  const window = new Leavable();
  const outcomes: UploadsOutcome[] = [];
  const state: { known: There | null } = { known: null };
  const options = {
    api: spoken.api,
    prompts,
    mayReplace: () => true,
    parts: { chunkSize: 10 * 2 ** 20, retryCount: 5 },
    userId: () => 1,
    keepsModified: () => false,
    entriesIn: () => state.known,
    onUnloadable: () => assert.fail("Cannot load what uploading takes"),
    onSettled: (outcome: UploadsOutcome) => void outcomes.push(outcome),
    window,
  };
  const uploads = new LazyUploads(options);
  return Object.assign(state, spoken, { options, uploads, prompts, window, outcomes }) as Bench;
}

export function files(...names: string[]): Incoming[] {
  return names.map((name) => ({ segments: name.split("/"), file: new File(["0123456789"], name) }));
}

export const there = (...names: string[]): There => new Map(names.map((name) => [name, null]));

/** The addresses without the job's id, which is in each of them. */
export const urlsOf = (requests: FakeRequest[]) =>
  requests.map(({ url }) => {
    const { pathname, searchParams } = new URL(url);
    assert.match(searchParams.get("job") ?? "", /^[\w-]{8,64}$/);
    searchParams.delete("job");
    return `${pathname}?${searchParams}`;
  });

/** The answer to a request for many files, all of which were written but for some. */
export const receivedFiles = (count: number, others: Record<number, object> = {}) =>
  JSON.stringify({
    files: Array.from({ length: count }, (_, index) => others[index] ?? { status: 200 }),
  });
