import type { PageData } from "../../../lib/shared/page_data.ts";
import { pageDataOf, plainConfig, userWho } from "../../support/data/page_data.ts";
import { folderOf } from "./support.ts";

/** A files page on "/docs", rendered for somebody called so. */
export function pageDataFor(username: string, files: string[], baseUrl = "/base"): PageData {
  return pageDataOf({
    config: { ...plainConfig, BaseURL: baseUrl, StaticURL: baseUrl },
    user: userWho({}, username),
    files: { path: "/docs", resource: folderOf(files, undefined, "/docs"), failure: null },
  });
}
