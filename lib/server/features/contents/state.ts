import type { ContentIndexState } from "../../../shared/schemas/contents.ts";
import type { IndexFile } from "./index_file.ts";

/** The name under which the index keeps how far it is. */
const stateName = "state";

/** The name under which a request to rebuild the index is kept, until it is done. */
const rebuildName = "rebuild";

/** The state of an index of which nothing is known. */
export const unknownState: ContentIndexState = {
  state: "waiting",
  files: 0,
  characters: 0,
  seen: 0,
  bytes: 0,
  startedAt: null,
  walkedAt: null,
};

/** How far an index is, as its last commit says. */
export function readState(index: IndexFile): ContentIndexState {
  const text = index.read(stateName);
  return text === null ? unknownState : { ...unknownState, ...JSON.parse(text) };
}

/** Notes how far an index is. */
export function writeState(index: IndexFile, state: ContentIndexState): void {
  index.keep(stateName, JSON.stringify(state));
}

/** Requests that an index is rebuilt, by the process that maintains it. */
export function askForRebuild(index: IndexFile): void {
  index.keep(rebuildName, "wanted");
}

/** Whether an index is to be rebuilt. */
export function isRebuildWanted(index: IndexFile): boolean {
  return index.read(rebuildName) !== null;
}
