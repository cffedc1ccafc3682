import { useSearchPanel } from "./use_search_panel.ts";
import { useLate } from "../core/use_late.ts";

/** The search while it is open; it is loaded when it first is. */
export function SearchSlot() {
  const open = useSearchPanel();
  const late = useLate(open.value, () => import("./SearchPanel.tsx"));
  if (!open.value || !late) return null;
  return <late.SearchPanel onClose={() => open.value = false} />;
}
