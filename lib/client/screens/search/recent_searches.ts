import { useState } from "react";
import {
  type BrowserStorage,
  keepIn,
  listIn,
  openLocalStorage,
} from "../../base/core/browser_storage.ts";
import { usePage } from "../../base/core/page.ts";
import { addressOf, type Asked, askedBy } from "./search_query.ts";

/** The number of searches that are remembered. */
const MOST = 8;

/** The last searches of a user in this browser, the latest first. */
export class RecentSearches {
  readonly #key: string;
  readonly #storage: BrowserStorage;

  /** @param userId each account of a browser has its own */
  constructor(userId = 0, storage = openLocalStorage()) {
    this.#key = `searches.${userId}`;
    this.#storage = storage;
  }

  /** The searches, as far as they can be read. */
  list(): Asked[] {
    return listIn(this.#storage, this.#key, (kept) => {
      const searches = kept.slice(0, MOST).map((address) => askedBy(String(address)));
      return searches.filter((asked) => asked !== null);
    });
  }

  /** Puts a search first. One that goes on with the words of the latest takes its place. */
  remember(asked: Asked): void {
    const [latest, ...others] = this.list();
    const before = latest && isBeginning(latest, asked) ? others : this.list();
    this.#keep([asked, ...before.filter((other) => addressOf(other) !== addressOf(asked))]);
  }

  /** Forgets a search; all of them where none is given. */
  forget(asked?: Asked): void {
    const address = asked && addressOf(asked);
    this.#keep(this.list().filter((other) => address && addressOf(other) !== address));
  }

  #keep(searches: Asked[]): void {
    keepIn(this.#storage, this.#key, JSON.stringify(searches.slice(0, MOST).map(addressOf)));
  }
}

/** Whether a search is the beginning of a longer one. */
function isBeginning(earlier: Asked, later: Asked): boolean {
  const alike = addressOf({ ...earlier, text: "" }) === addressOf({ ...later, text: "" });
  return alike && earlier.text !== "" && later.text.startsWith(earlier.text);
}

/** The recent searches of the user, and how they are changed. */
export interface RecentSearchUse {
  searches: readonly Asked[];
  remember: (asked: Asked) => void;
  forget: (asked?: Asked) => void;
}

/** The recent searches of the user; none for those who have the server remember no files. */
export function useRecentSearches(): RecentSearchUse {
  const { user } = usePage().data;
  const [kept] = useState(() => new RecentSearches(user?.id));
  const isKept = user?.keepRecent !== false;
  const [searches, setSearches] = useState(() => isKept ? kept.list() : []);
  return {
    searches,
    remember: (asked) => isKept && kept.remember(asked),
    forget(asked) {
      kept.forget(asked);
      setSearches(kept.list());
    },
  };
}
