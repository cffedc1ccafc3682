import { LruCache } from "../../../../shared/lru_cache.ts";
import type { Access } from "../../../core/access/access.ts";
import { type Remote, remote } from "../../../core/concurrency/remote.ts";
import { ThreadChannel } from "../../../core/concurrency/thread_channel.ts";
import type { EntryPath } from "../../../../shared/path.ts";
import { exactStateText } from "../../../core/disk/facts.ts";
import { viewerKey } from "../../../files/listing/name_cache.ts";
import { ChangeSignal } from "./change_signal.ts";
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

/** Most answers of the Worker that a thread keeps. */
const maxKept = 500;

/** How long an answer is kept: the kernel tells of no disk that is mounted over a folder. */
const keptMs = 60_000;

/** An answer of the Worker, which holds while nothing changes. */
interface KeptState extends FolderState {
  /** The folder's own: another may have taken its place. */
  folder: string;
  /** The count of the signal before the Worker was asked. */
  count: number;
  /** The time before it was asked, by `performance.now()`. */
  askedAt: number;
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
 * - Where inotify tells of all changes in a folder, the thread keeps the answer for a minute, and asks
 *   again only when a {@linkcode ChangeSignal} or the folder itself is another: a question without a
 *   change wakes no Worker.
 * - A change of the server's own is told to the Workers of all threads before it is answered. A
 *   thread that has missed one takes it as that of another program, see `ThreadChannel`.
 * - A change by another program in one of the first 8,192 folders of a thread, if the system lets so
 *   many be watched, is seen by the next question: inotify tells of it.
 * - In other folders, an entry that comes, goes, or gets another name or file is seen by the next
 *   question, unless one was answered just before: answers hold for 50 times as long as a look at
 *   the folders takes, about 5 s for 10,000. So questions take a fiftieth of a processor at most
 *   while nothing changes. A change within a file, or of its time, leaves no trace in its folder: a
 *   walk finds it every 10 minutes, at a tenth of a processor, while clients ask.
 * - A disk below the root that may hang (a network, FUSE) counts in the folders above it by its name
 *   alone, as no question may wait for it; a question for a folder on it covers all there.
 * - Other machines on one store tell of their changes within half a second; what they have changed
 *   is then seen as that of another program.
 */
export class FolderStates {
  readonly #worker: Remote<StateWork>;
  readonly #channel: ThreadChannel<News>;
  #isClosed = false;
  #signal = new ChangeSignal();
  #kept = new LruCache<string, KeptState>(maxKept);

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
    const folder = exactStateText(access.folder(path).info);
    const key = `${path}\0${access.viewer.within ?? ""}\0${viewerKey(access)}`;
    this.#forgetIfDead();
    const [askedAt, changes] = [performance.now(), this.#signal];
    const { count, memory } = changes;
    const kept = this.#kept.get(key);
    const holds = kept?.folder === folder && askedAt - kept.askedAt < keptMs &&
      changes.isStill(kept.count);
    if (kept && holds) return { etag: kept.etag, bytes: kept.bytes };
    const question = { access, path, memory };
    const { isWatched, ...state } = await this.#worker.state(question, signal && { signal });
    // Another Worker signals in other memory.
    if (isWatched && changes === this.#signal) {
      this.#kept.set(key, { ...state, folder, count, askedAt });
    } else this.#kept.delete(key);
    return state;
  }

  /** A Worker that has ended has missed changes. */
  #forgetIfDead(): void {
    if (this.#worker.isRunning) return;
    this.#signal = new ChangeSignal();
    this.#kept = new LruCache(maxKept);
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
    this.#forgetIfDead();
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
    this.#signal.raise();
    // A Worker that starts knows nothing that could be outdated.
    if (!this.#worker.isRunning) return;
    const told = news.places.length > 0 ? this.#worker.tell(news) : this.#worker.expire({});
    told.catch(() => {});
  }
}
