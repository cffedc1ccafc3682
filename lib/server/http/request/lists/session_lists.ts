import type { SessionInfo } from "../../../../shared/api_types.ts";
import { type SessionRecord, toSessionInfo } from "../../../features/accounts/auth/session.ts";
import { type List, listOf } from "./list.ts";

/**
 * Sessions of a user, the newest first.
 *
 * @param sid of the request's own one
 */
export function sessionList(
  records: readonly SessionRecord[],
  sid: string,
): List<SessionRecord, SessionInfo> {
  return listOf(records, {
    positionOf: (record) => record.sid,
    textOf: ({ agent, address }) => `${agent} ${address}`,
    show: (some) => some.map((record) => toSessionInfo(record, sid)),
  });
}
