import { DomainError } from "../../shared/errors.ts";
import {
  faultOf,
  IndexFile,
  indexPath,
  openForWriting,
  sizeOfIndex,
} from "../features/contents/index_file.ts";
import { askForRebuild, readState } from "../features/contents/state.ts";
import type { Call, Command } from "./command.ts";
import { tableLines } from "./texts.ts";

/** The commands about the index of content search. */
export const indexCommands: Command[] = [
  {
    name: "index status",
    words: "",
    about: "show the progress of the content index",
    run: printStatus,
  },
  {
    name: "index rebuild",
    words: "",
    about: "have the server rebuild the content index",
    async run(call) {
      const path = await pathOf(call, "build");
      if (!isThere(path)) {
        return call.print("No index yet: the server builds it when it runs");
      }
      using index = openForWriting(path, call.print);
      askForRebuild(index);
      call.print('The server rebuilds it; "index status" shows the progress');
    },
  },
];

async function printStatus(call: Call): Promise<void> {
  const path = await pathOf(call, "look at");
  if (!isThere(path)) return call.print("state  waiting for the server");
  try {
    using index = new IndexFile(path, "read");
    const { state, files, characters, seen, walkedAt } = readState(index);
    const rows = [
      ["state", state],
      ["files", String(files)],
      ["characters", String(characters)],
      ["bytes", String(sizeOfIndex(path))],
      ["seen", String(seen)],
      ["walked", walkedAt ?? "never"],
    ];
    for (const line of tableLines(["", ""], rows).slice(1)) call.print(line);
  } catch (error) {
    if (faultOf(error) !== "damaged") throw error;
    call.print("state  damaged; the server rebuilds it");
  }
}

/** @throws DomainError `not_supported` while content search is off */
async function pathOf({ records }: Call, verb: string): Promise<string> {
  if (!(await records.settings.get()).contents.enabled) {
    throw new DomainError(
      "not_supported",
      `Cannot ${verb} the index: content search is off; "config set --contents.enabled" switches it on`,
    );
  }
  return indexPath((await records.config()).cacheDir);
}

function isThere(path: string): boolean {
  return sizeOfIndex(path) > 0;
}
