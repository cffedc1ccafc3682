import { usePage } from "../core/page.ts";
import { useShared } from "../core/shared.ts";
import { useSession } from "../core/use_site.ts";
import { AccountApi } from "./account_api.ts";

/** The client of the calls that the settings make. */
export function useAccount(): AccountApi {
  const session = useSession();
  const { BaseURL: baseUrl } = usePage().data.config;
  return useShared("account", () => new AccountApi({ baseUrl, session }));
}
