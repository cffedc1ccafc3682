import { failureOfAnswer, failureOfThrow } from "../../base/api/calls.ts";
import type { Failure } from "../../../shared/result.ts";

/** Ways to make the browser save a download. */
export interface Saving {
  /** Downloads an address of this site. */
  from(address: string): void;
  /**
   * Saves the response to a form.
   *
   * @param onRefused called when the server refuses
   */
  byForm(
    address: string,
    fields: Record<string, string>,
    onRefused: (failure: Failure) => void,
  ): void;
}

let frames = 0;

/**
 * Downloads by a link with `download`, or by a form that targets a hidden frame. Neither leaves the
 * page, so the leave warning of uploads does not appear.
 */
export const savingByPage: Saving = {
  from(address) {
    const link = document.createElement("a");
    link.href = address;
    link.download = "";
    document.body.append(link);
    link.click();
    link.remove();
  },

  byForm(address, fields, onRefused) {
    const frame = document.createElement("iframe");
    frame.name = `saving-${++frames}`;
    frame.hidden = true;
    const form = document.createElement("form");
    form.hidden = true;
    Object.assign(form, { method: "post", action: address, target: frame.name });
    // Percent-escapes stay as short as they are.
    form.enctype = "multipart/form-data";
    for (const [name, value] of Object.entries(fields)) {
      const field = document.createElement("input");
      Object.assign(field, { type: "hidden", name, value });
      form.append(field);
    }
    document.body.append(frame, form);
    // A download fires no `load`; an error page does, after the initial `about:blank` in some browsers.
    frame.addEventListener("load", () => {
      if (frame.contentDocument?.URL === "about:blank") return;
      onRefused(refusalIn(frame));
      frame.remove();
    });
    form.submit();
    form.remove();
  },
};

function refusalIn({ contentDocument, contentWindow }: HTMLIFrameElement): Failure {
  if (!contentDocument || !contentWindow) return failureOfThrow(null);
  const [loading] = contentWindow.performance.getEntriesByType("navigation");
  const status = (loading as PerformanceNavigationTiming | undefined)?.responseStatus ?? 0;
  return failureOfAnswer(status, contentDocument.body.textContent, null);
}
