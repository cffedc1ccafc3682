import type { RenderState } from "../render_state.ts";
import { serialiseProps } from "./wire.ts";

/** The inline script that starts the islands of a page; empty when it has none. */
export function bootScript(state: RenderState): string {
  const { cache, islands, basePath, nonce } = state;
  if (cache === null || (islands.size === 0 && !cache.liveReload)) return "";

  const imports = [...islands].map(({ exportName, file }, i) =>
    `import{${exportName} as i${i}}from${literal(basePath + file)};`
  );
  const registry = [...islands].map(({ name }, i) => `${literal(name)}:i${i}`);
  const code = `import{boot}from${literal(basePath + cache.clientEntry)};${imports.join("")}` +
    `boot({${registry.join(",")}},${literal(propsOf(state))});`;
  return `<script type="module" nonce="${nonce}">${code}</script>`;
}

/** The `Link` header that has the scripts of the page fetched early; null when it has none. */
export function preloadLinks(state: RenderState): string | null {
  const { cache, islands, basePath } = state;
  if (cache === null || (islands.size === 0 && !cache.liveReload)) return null;
  return [cache.clientEntry, ...[...islands].map((island) => island.file)]
    .map((file) => `<${encodeURI(basePath + file)}>; rel="modulepreload"; as="script"`)
    .join(", ");
}

function propsOf(state: RenderState): string {
  try {
    return serialiseProps(state.islandProps.map(({ props }) => props));
  } catch (error) {
    const [, index, path = ""] = /^\[?(\d+)\]?(.*)$/.exec(pathOf(error).replace(/^\./, "")) ?? [];
    const name = state.islandProps[Number(index)]?.island.name;
    throw new TypeError(
      `Cannot send the props of island "${name}" (${path || "all"}): ${error}`,
      { cause: error },
    );
  }
}

function pathOf(error: unknown): string {
  return error instanceof Error && "path" in error ? String(error.path) : "";
}

/** A string literal that is safe inside a script element: "<" cannot start a tag or a comment. */
function literal(text: string): string {
  return JSON.stringify(text).replaceAll("<", "\\u003C");
}
