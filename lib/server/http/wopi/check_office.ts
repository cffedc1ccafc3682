import type { Context } from "fresh";
import { DomainError } from "../../../shared/errors.ts";
import type { OfficeCheck } from "../../../shared/schemas/office.ts";
import type { State } from "../define.ts";
import { hostAddress } from "./open_document.ts";
import { officeOf } from "./wopi_visit.ts";

/**
 * Asks the office server for its description at once.
 *
 * @throws DomainError `not_supported` without an office server
 */
export async function checkOffice(ctx: Context<State>): Promise<OfficeCheck> {
  const { discovery, server } = officeOf(ctx);
  const known = {
    address: server.url,
    callback: hostAddress(ctx, server) + ctx.state.cubby.config.baseUrl,
  };
  try {
    const { editors, keys } = await discovery.test();
    const formats = [...editors.values()];
    return {
      ...{ reason: "", ...known, isSigning: keys.length > 0 },
      edits: formats.filter(({ edit }) => edit).length,
      views: formats.filter(({ view }) => view).length,
    };
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return { reason: error.message, ...known, edits: 0, views: 0, isSigning: false };
  }
}
