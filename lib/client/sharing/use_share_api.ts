import { ShareApi } from "./share_api.ts";
import { useShared } from "../core/shared.ts";
import { useApi } from "../core/use_site.ts";

/** The client of the calls about shares. */
export function useShareApi(): ShareApi {
  const { calls } = useApi();
  return useShared("shares", () => new ShareApi(calls));
}
