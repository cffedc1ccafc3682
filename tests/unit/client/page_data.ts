import type { PageData } from "../../../lib/client/core/page.ts";
import { pageDataOf, plainConfig, userWho } from "../../support/page_data.ts";
import { folderOf } from "./support.ts";

/** A files page on "/docs", rendered for somebody called so. */
export function pageDataFor(username: string, files: string[], baseUrl = "/base"): PageData {
  return pageDataOf({
    config: { ...plainConfig, BaseURL: baseUrl, StaticURL: baseUrl },
    user: userWho({}, username),
    files: { path: "/docs", resource: folderOf(files, undefined, "/docs"), failure: null },
  });
}
