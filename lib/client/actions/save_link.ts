import { failureOfAnswer, failureOfThrow } from "../api/answer.ts";
import type { Failure } from "../api/result.ts";

/** How the browser is told to save something. */
export interface Saving {
  /** Saves what lies at an address of this site. */
  from(address: string): void;
  /**
   * Saves what an address of this site answers to a form.
   *
   * @param onRefused hears why there is nothing to save
   */
  byForm(
    address: string,
    fields: Record<string, string>,
    onRefused: (failure: Failure) => void,
  ): void;
}

let frames = 0;

/**
 * The browser's own ways. Neither leaves the page, so the warning about uploads under way does not
 * appear: a link has `download`, and the answer to a form goes to a frame that nobody sees.
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
    // What is saved is never shown: only a refusal is, after the empty page some browsers tell of.
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
