import assert from "node:assert/strict";
import { sandboxPolicy } from "../../../lib/server/http/response/downloads.ts";

Deno.test("sandboxPolicy() lets no uploaded page or drawing run or load anything", () => {
  for (const type of ["text/html; charset=utf-8", "image/svg+xml", "text/xml", "x/y", ""]) {
    const directives = sandboxPolicy(type).split("; ");
    assert.ok(directives.includes("sandbox"), type);
    assert.ok(directives.includes("default-src 'none'"), type);
    assert.ok(!directives.some((directive) => directive.startsWith("script-src")), type);
  }
});

Deno.test("sandboxPolicy() keeps the origin for the browser's own viewers, and scripts out", () => {
  for (const type of ["video/mp4", "Audio/Wav", "application/pdf"]) {
    const directives = sandboxPolicy(type).split("; ");
    assert.ok(directives.includes("sandbox allow-same-origin allow-scripts"), type);
    assert.ok(directives.includes("default-src 'none'"), type);
  }
  assert.match(sandboxPolicy("application/pdf+xml"), /^sandbox;/);
});
