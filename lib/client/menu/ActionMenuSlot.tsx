import { useActionMenu } from "./use_action_menu.ts";
import { useLate } from "../core/use_late.ts";

/** The place of the menu of actions, which is loaded when it is first opened. */
export function ActionMenuSlot() {
  const menu = useActionMenu();
  const request = menu.value;
  const late = useLate(request !== null, () => import("../listing/late_listing.ts"));
  if (!request || !late) return null;
  const close = () => {
    if (menu.peek() === request) menu.value = null;
  };
  return <late.ActionMenu request={request} onClose={close} />;
}
