import type { Context } from "fresh";
import { foldText } from "../../../shared/fold.ts";
import { shareTypes } from "../../features/dav/client_properties.ts";
import type { State } from "../define.ts";
import { countOption } from "../request/query.ts";
import { recipientNames } from "../request/recipient_requests.ts";
import type { OcsData } from "./ocs_answer.ts";

/** Kinds of whom one may share with on servers of Nextcloud, and not here. */
const otherKinds = { remotes: [], remote_groups: [], emails: [], circles: [], rooms: [] };

/**
 * Whom the user may share with, by the beginning of their names: those whom the dialog of the pages
 * suggests, and no others. There is one page of them.
 *
 * @throws DomainError `forbidden`; `throttled`; `invalid_option`
 */
export async function findSharees(ctx: Context<State>): Promise<OcsData> {
  const { searchParams: query } = ctx.url;
  const search = query.get("search") ?? "";
  const names = await recipientNames(ctx, search);
  const isFirst = (countOption(query, "page") || 1) === 1;
  const shown = isFirst ? names.slice(0, countOption(query, "perPage") || undefined) : [];
  const sought = foldText(search.trim().normalize("NFC")).replace(/^@/, "");
  const isExact = (name: string) => foldText(name.replace(/^@/, "")) === sought;
  return shareesOf(shown.filter(isExact), shown.filter((name) => !isExact(name)));
}

/** The answer to a client that asks for suggestions before its user types: there are none. */
export function suggestSharees(): OcsData {
  return shareesOf([], []);
}

function shareesOf(exact: readonly string[], others: readonly string[]): OcsData {
  return {
    exact: { ...kindsOf(exact), ...otherKinds },
    ...kindsOf(others),
    ...otherKinds,
    lookup: [],
    lookupEnabled: false,
  };
}

/** @param names of groups with an `@` before them */
function kindsOf(names: readonly string[]): { users: OcsData[]; groups: OcsData[] } {
  const isGroup = (name: string) => name.startsWith("@");
  return {
    users: names.filter((name) => !isGroup(name)).map((name) => sharee(name, "user")),
    groups: names.filter(isGroup).map((name) => sharee(name.slice(1), "group")),
  };
}

function sharee(name: string, type: "user" | "group"): OcsData {
  return {
    ...{ label: name, name, subline: "", icon: `icon-${type}`, shareWithDisplayNameUnique: name },
    status: [],
    value: { shareType: shareTypes[type], shareWith: name },
  };
}
