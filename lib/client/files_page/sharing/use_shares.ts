import { useEffect, useState } from "react";
import type { EntryPath } from "../../../shared/path.ts";
import type { ShareWithToken } from "../../../shared/schemas/share.ts";
import type { Failure, Result } from "../../../shared/result.ts";
import { type ShareDraft, type ShareTerms, useShareApi } from "./share_api.ts";

/** The shares of one entry, and the actions on them. */
export interface Shares {
  /** Null until they have been read. */
  list: ShareWithToken[] | null;
  /** Reads them again, after a failure. */
  load(): Promise<void>;
  /** The failure of the last action. */
  failure: Failure | null;
  busy: boolean;
  /** Whether any was created or ended here. */
  hasChanged: boolean;
  /** Creates one; a failure is the caller's to show. */
  create(draft: ShareDraft & Partial<ShareTerms>): Promise<Result<ShareWithToken>>;
  /** Shows a share that was changed. */
  replace(share: ShareWithToken): void;
  end(hash: string): Promise<void>;
}

/**
 * Reads the shares of an entry, and updates the list after changes.
 *
 * @param isPaused others may change them now: they are read when that is over
 */
export function useShares(path: EntryPath, isPaused = false): Shares {
  const api = useShareApi();
  const [list, setList] = useState<ShareWithToken[] | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  const [busy, setBusy] = useState(false);
  const [hasChanged, setChanged] = useState(false);

  const show = (answer: Result<ShareWithToken[]>) => {
    setFailure(answer.ok ? null : answer);
    if (answer.ok) setList(answer.value);
  };
  useEffect(() => {
    if (isPaused) return;
    let left = false;
    void api.of(path).then((answer) => left || show(answer));
    return () => void (left = true);
  }, [path, isPaused]);

  return {
    list,
    load: async () => show(await api.of(path)),
    failure,
    busy,
    hasChanged,
    async create(draft) {
      setFailure(null);
      const answer = await api.create(path, draft);
      if (!answer.ok) return answer;
      setList((before) => [answer.value, ...before ?? []]);
      setChanged(true);
      return answer;
    },
    replace(share) {
      setList((before) => before?.map((each) => each.hash === share.hash ? share : each) ?? null);
      setChanged(true);
    },
    async end(hash) {
      setBusy(true);
      setFailure(null);
      const answer = await api.end(hash);
      setBusy(false);
      if (!answer.ok) setFailure(answer);
      const isGone = answer.ok || answer.status === 404;
      if (!isGone) return;
      setList((before) => before?.filter((share) => share.hash !== hash) ?? null);
      setChanged(true);
    },
  };
}
