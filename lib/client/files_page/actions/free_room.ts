import type { Failure } from "../../../shared/result.ts";
import { reasonOf } from "../../base/api/reasons.ts";
import type { ToastAction } from "../../base/ui/toasts.ts";
import type { ActionsOptions } from "./actions_options.ts";

type RoomOptions = Pick<ActionsOptions, "api" | "prompts" | "toasts" | "t" | "may">;

/** Whether a quota refuses for want of room. */
export function isOverQuota({ code }: Pick<Failure, "code">): boolean {
  return code === "over_quota";
}

/** Whether something is in the user's trash, previous versions included, and may be deleted. */
export async function hasTrash({ api, may }: Pick<RoomOptions, "api" | "may">): Promise<boolean> {
  if (!may("delete")) return false;
  const answer = await api.calls.json("GET /api/trash", {
    query: { all: true, limit: 1 },
  });
  return answer.ok && answer.value.items.length > 0;
}

/** Asks, and empties the user's trash. Whether it is empty now; null when the user does not want it. */
export async function emptyTrash(
  { api, prompts, toasts, t }: Pick<RoomOptions, "api" | "prompts" | "toasts" | "t">,
): Promise<boolean | null> {
  const question = { title: t("trash.sureEmpty"), text: t("trash.sureEmptyText") };
  if (await prompts.open("confirm", question) === null) return null;
  const answer = await api.calls.done("DELETE /api/trash");
  if (!answer.ok) toasts.error(t("failures.empty", { reason: reasonOf(t, answer) }));
  return answer.ok;
}

/**
 * The offer beside a refusal by the quota: to empty the trash, and then to try again.
 *
 * @returns undefined when the trash is empty, or the user may not empty it
 */
export async function roomAction(
  options: RoomOptions,
  again: () => void,
): Promise<ToastAction | undefined> {
  if (!await hasTrash(options)) return undefined;
  const { toasts, t } = options;
  return {
    label: t("trash.empty"),
    run: async () => {
      if (!await emptyTrash(options)) return false;
      toasts.success(t("trash.emptyTitle"), { label: t("buttons.retry"), run: again });
    },
  };
}
