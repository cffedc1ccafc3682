import { childOf, encodePath, type EntryPath, parseUrlPath } from "../../../shared/path.ts";
import { type Failure, type Result, success } from "../../../shared/result.ts";
import type { Resource } from "../../../shared/schemas/entry.ts";
import type { Calls } from "../../base/api/calls.ts";
import type { FolderWindow } from "../../base/api/api.ts";
import { keptVisitorName } from "../../base/core/visitor_name.ts";
import type { LinkedShare } from "./share_links.ts";
import type { TFunction } from "i18next";
import { explain, reasonOf } from "../../base/api/reasons.ts";
import { keepIn, openTabStorage } from "../../base/core/browser_storage.ts";

/** The client of the calls by which recipients and visitors change what is shared. */
export class SharedEdits {
  readonly #calls: Calls;
  readonly #share: LinkedShare;

  /** @param calls those of the page's client, with which it shares the session */
  constructor(calls: Calls, share: LinkedShare) {
    this.#calls = calls;
    this.#share = share;
  }

  /** A folder in the share; see `Api.resource`. */
  resource(
    at: EntryPath,
    { offset, limit, sorting }: Pick<FolderWindow, "offset" | "limit" | "sorting">,
  ): Promise<Result<Resource>> {
    const order = sorting?.asc === false ? "desc" as const : "asc" as const;
    return this.#calls.json("GET /api/public/share/{path}", {
      ...this.#entry(at),
      query: { offset, limit, sort: sorting?.by, order, token: this.#share.token || undefined },
    });
  }

  /** Makes a folder. */
  makeFolder(at: EntryPath): Promise<Result<void>> {
    const query = this.#proof();
    return this.#calls.done("POST /api/public/share/{path}", { ...this.#entry(at), query });
  }

  /** Gives a file the content of another. */
  replace(at: EntryPath, body: File): Promise<Result<void>> {
    const query = this.#proof();
    return this.#calls.done("PUT /api/public/share/{path}", { ...this.#entry(at), query, body });
  }

  /** Renames or moves an entry. @returns where it is now */
  async move(from: EntryPath, to: EntryPath): Promise<Result<EntryPath>> {
    const answer = await this.#calls.call("PATCH /api/public/share/{path}", {
      ...this.#entry(from),
      query: { action: "rename", destination: encodePath(to), ...this.#proof() },
    });
    if (!answer.ok) return answer;
    const [, behind = ""] = answer.value.headers.get("content-location")
      ?.split("/api/public/share/") ?? [];
    return success(parseUrlPath(behind.slice(behind.indexOf("/"))).path);
  }

  /** Moves an entry to its owner's trash. @returns the id by which it is put back */
  async discard(at: EntryPath): Promise<Result<string>> {
    const call = { ...this.#entry(at), query: this.#proof() };
    const answer = await this.#calls.call("DELETE /api/public/share/{path}", call);
    if (!answer.ok) return answer;
    return success(answer.value.headers.get("content-location")?.split("/").at(-1) ?? "");
  }

  /** Puts back what oneself has deleted. */
  restore(id: string): Promise<Result<void>> {
    const params = { path: `/${this.#share.hash}/${id}` };
    const call = { params, query: this.#proof(), byLink: true };
    return this.#calls.done("POST /api/public/trash/{path}", call);
  }

  #entry(at: EntryPath) {
    return { params: { path: `/${this.#share.hash}${at}` }, byLink: true };
  }

  #proof() {
    return { token: this.#share.token || undefined, name: keptVisitorName() || undefined };
  }
}

/** The result of a change: the notice, without the share and the focus. */
type Outcome = Pick<EditNotice, "text" | "errors" | "undo">;

/** Moves entries of a folder to the owner's trash, one after the other. */
export async function discardAll(
  edits: SharedEdits,
  t: TFunction,
  { folder, names }: { folder: EntryPath; names: readonly string[] },
): Promise<Outcome> {
  const { undo, failures } = await each(names, async (name) => {
    const answer = await edits.discard(childOf(folder, name));
    return answer.ok ? { ...answer, value: { restore: answer.value } } : answer;
  });
  const text = undo.length > 0 ? t("share.trashed", { count: undo.length }) : "";
  return { text, undo, errors: explain(t, "delete", failures) };
}

/** Moves entries of a folder into another one of the share. */
export async function moveAll(
  edits: SharedEdits,
  t: TFunction,
  { folder, names, to }: { folder: EntryPath; names: readonly string[]; to: EntryPath },
): Promise<Outcome> {
  const { undo, failures } = await each(names, async (name) => {
    const from = childOf(folder, name);
    const answer = await edits.move(from, childOf(to, name));
    return answer.ok ? { ...answer, value: { from: answer.value, to: from } } : answer;
  });
  const text = undo.length > 0 ? t("toasts.move", { count: undo.length }) : "";
  return { text, undo, errors: explain(t, "move", failures) };
}

/** Takes changes back, the last first. */
export async function undoAll(
  edits: SharedEdits,
  t: TFunction,
  undo: readonly WayBack[],
): Promise<Outcome> {
  let amount = 0;
  const reasons = new Set<string>();
  for (const way of undo.toReversed()) {
    const answer = "restore" in way
      ? await edits.restore(way.restore)
      : await edits.move(way.from, way.to);
    if (answer.ok) amount++;
    else reasons.add(t("failures.undo", { reason: reasonOf(t, answer) }));
  }
  return {
    text: amount > 0 ? t("toasts.undone", { count: amount }) : "",
    undo: [],
    errors: [...reasons],
  };
}

async function each(names: readonly string[], change: (name: string) => Promise<Result<WayBack>>) {
  const undo: WayBack[] = [];
  const failures = new Map<string, Failure>();
  for (const name of names) {
    const answer = await change(name);
    if (answer.ok) undo.push(answer.value);
    // An entry that another user has taken away in between is gone as well.
    else if (answer.code !== "not_found") failures.set(name, answer);
  }
  return { undo, failures };
}

/** The way back of a change in a share: what was deleted is put back, what was moved moves back. */
type WayBack = { restore: string } | { from: EntryPath; to: EntryPath };

/** The outcome of a change, which is told once the page is there anew. */
export interface EditNotice {
  /** The share's address. */
  hash: string;
  /** "" where nothing was done. */
  text: string;
  errors: readonly string[];
  undo: readonly WayBack[];
  /** The name of the row that gets the focus. */
  focus?: string;
}

const key = "cubby-share-notice";

/** Keeps a notice for the page that is loaded next in this tab. */
export function keepNotice(notice: EditNotice): void {
  keepIn(openTabStorage(), key, JSON.stringify(notice));
}

/** Takes the notice of a share, once. */
export function takeNotice(hash: string): EditNotice | null {
  const storage = openTabStorage();
  const text = storage.getItem(key);
  storage.removeItem(key);
  const notice = text === null ? null : JSON.parse(text) as EditNotice;
  return notice?.hash === hash ? notice : null;
}
