// @ts-types="axe-core"
import axe from "axe-core/axe.min.js"; // A third of the full one, which every page would compile.
import type { Page } from "playwright-core";

/**
 * The serious and critical barriers that axe-core finds in a page (WCAG 2 A and AA), one line for
 * each element.
 */
export async function findBarriers(page: Page): Promise<string[]> {
  if (!await page.evaluate(() => Reflect.has(globalThis, "axe"))) await page.evaluate(axe.source);
  const violations = await page.evaluate(async () => {
    const runner: typeof axe = Reflect.get(globalThis, "axe");
    const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];
    const results = await runner.run(document, {
      runOnly: tags,
      resultTypes: ["violations"],
      // What is in frames belongs to the browser, such as its viewer of PDFs.
      iframes: false,
    });
    return results.violations.map(({ id, impact, help, nodes }) => ({
      id,
      impact,
      help,
      nodes: nodes.map(({ html, failureSummary }) => `${html}\n    ${failureSummary}`),
    }));
  });
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .flatMap(({ id, help, nodes }) => nodes.map((node) => `${id} (${help}): ${node}`));
}
