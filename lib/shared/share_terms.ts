import type { RecipientRight } from "./schemas/choices/choices.ts";
import type { Recipient } from "./schemas/share.ts";

/** The terms of a share, as its owner reads and changes them. */
export interface OwnerTerms {
  /** A second address of the page; "" for none. */
  name: string;
  /** 0 for no limit. */
  downloadLimit: number;
  viewOnly: boolean;
  linkPreview: boolean;
  notify?: boolean;
  /** The users and groups; null or absent for anybody. */
  audience?: Recipient[] | null;
  /** Anybody with the link may open it as well. */
  anyone?: boolean;
  /** The right of anybody with the link; absent for `download`. */
  anyoneMay?: RecipientRight;
}

/** The terms that differ from those of a share without any. */
export function nonDefaultTerms(
  { name, downloadLimit, viewOnly, linkPreview, notify, audience, anyone, anyoneMay = "download" }:
    OwnerTerms,
) {
  return {
    ...name !== "" && { name },
    ...downloadLimit !== 0 && { downloadLimit },
    ...viewOnly && { viewOnly },
    ...linkPreview && { linkPreview },
    ...notify && { notify },
    ...audience && { audience, ...anyone && { anyone } },
    ...(!audience || anyone) && anyoneMay !== "download" && { anyoneMay },
  };
}
