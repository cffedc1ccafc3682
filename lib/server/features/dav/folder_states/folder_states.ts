import type { Access } from "../../../core/access/access.ts";
import { type Remote, remote } from "../../../core/concurrency/remote.ts";
import { ThreadChannel } from "../../../core/concurrency/thread_channel.ts";
import type { EntryPath } from "../../../../shared/path.ts";
import type { StateWork } from "./state_worker.ts";

/** The state of a folder with all below it. */
export interface FolderState {
  /** A strong validator (RFC 9110, 8.8.3), with its quotes. */
  etag: string;
  /** Of all files below that the viewer may see. */
  bytes: number;
}

/** The dependencies of {@linkcode FolderStates}. */
export interface FolderStatesOptions {
  /** The served folder, which tells servers of one process apart. */
  root: string;
  /** Logs a sentence. */
  note(sentence: string): void;
}

/** What threads of a process tell each other. */
interface News {
  /** Places of changed entries, below the server root; none for all. */
  places: readonly EntryPath[];
}

/**
 * ETags and sizes of folders with all below them, by which sync clients find what has changed: they
 * enter only folders whose ETag is another than at their last visit.
 *
 * - An ETag is a digest of the names, kinds and ETags of what the viewer may see in a folder and of
 *   the digests of its subfolders (a Merkle tree). So it is equal in all threads, on all machines
 *   and after a restart, as long as nothing visible changes, and there is nothing that could be
 *   lost. What a link to a folder leads to counts as well, but not through links in that: a link may
 *   lead to a folder that holds it.
 * - A Worker of each thread keeps the digests, about 300 bytes a folder, of 300,000 folders at most.
 *   A question looks at each folder once, by one call of the system, and reads those again whose
 *   inode or times have changed, or that were changed less than two seconds before they were read.
 * - A change of the server's own is told to the Workers of all threads before it is answered. A
 *   thread that has missed one takes it as that of another program, see `ThreadChannel`.
 * - A change by another program that changes its folder (an entry that comes, goes, or gets another
 *   name or file) is seen by the next question, unless one was answered just before: answers hold
 *   for 50 times as long as a look at the folders takes, about 50 ms for 100 folders and 5 s for
 *   10,000. So questions take a fiftieth of a processor at most while nothing changes.
 * - A change within a file, or of its time, leaves no trace in its folder. inotify tells of it at
 *   once in the first 8,192 folders of a thread, if the system lets so many be watched, and a walk
 *   through all others every 10 minutes, at a tenth of a processor, while clients ask.
 * - A disk below the root that may hang (a network, FUSE) counts in the folders above it by its name
 *   alone, as no question may wait for it; a question for a folder on it covers all there.
 * - Other machines on one store tell of their changes within half a second; what they have changed
 *   is then seen as that of another program.
 */
export class FolderStates {
  readonly #worker: Remote<StateWork>;
  readonly #channel: ThreadChannel<News>;
  #isClosed = false;

  constructor({ root, note }: FolderStatesOptions) {
    const script = new URL("./state_worker.ts", import.meta.url);
    this.#worker = remote<StateWork>({ script, name: "folder states", note });
    this.#channel = new ThreadChannel(`cubby-folder-states ${root}`, {
      take: (news) => this.#hear(news),
      onLost: () => this.expire(),
    });
  }

  /**
   * The state of a folder.
   *
   * @throws {DomainError} `forbidden`, `not_found`; the signal's reason
   */
  async of(access: Access, path: EntryPath, signal?: AbortSignal): Promise<FolderState> {
    return await this.#worker.state({ access, path }, signal && { signal });
  }

  /**
   * The states of the folders in a folder by their names, links to folders among them.
   *
   * @throws as {@linkcode of}
   */
  async in(
    access: Access,
    path: EntryPath,
    signal?: AbortSignal,
  ): Promise<Map<string, FolderState>> {
    return new Map(await this.#worker.states({ access, path }, signal && { signal }));
  }

  /** Takes entries that have come, changed or gone. @param paths as the one who changed them has them */
  notifyChanged(access: Access, ...paths: EntryPath[]): void {
    if (this.#isClosed || paths.length === 0) return;
    const news = { places: paths.map((path) => access.ownPlaceAt(path)) };
    this.#hear(news);
    this.#channel.post(news);
  }

  /** Takes note that another machine, or a thread that was not heard, has changed something. */
  expire(): void {
    this.#hear({ places: [] });
  }

  /** Ends the Worker. */
  close(): void {
    this.#isClosed = true;
    this.#channel.close();
    this.#worker.close();
  }

  /** Messages to the Worker stay in order: a later question finds the change told. */
  #hear(news: News): void {
    // A Worker that starts knows nothing that could be outdated.
    if (!this.#worker.isRunning) return;
    const told = news.places.length > 0 ? this.#worker.tell(news) : this.#worker.expire({});
    told.catch(() => {});
  }
}
