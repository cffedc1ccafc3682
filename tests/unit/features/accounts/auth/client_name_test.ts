import assert from "node:assert/strict";
import { clientNameOf } from "../../../../../lib/server/features/accounts/auth/client_name.ts";

const names: Record<string, string> = {
  "annas-laptop (Desktop Client - Linux)": "Nextcloud for Linux · annas-laptop",
  "Mac of Anna (home) (Desktop Client - Macintosh)": "Nextcloud for macOS · Mac of Anna (home)",
  "Mozilla/5.0 (Macintosh) mirall/3.16.4 (Nextcloud, osx-24.5.0 ClientArchitecture: arm64)":
    "Nextcloud for macOS",
  "Mozilla/5.0 (Linux) mirall/2.11.0.8354 (ownCloud, debian-6.1.0 ClientArchitecture: x86_64)":
    "ownCloud for Linux",
  "Mozilla/5.0 (Windows) mirall/3.1.0": "Nextcloud for Windows",
  "Mozilla/5.0 (Android) Nextcloud-android/3.32.0": "Nextcloud for Android",
  "Mozilla/5.0 (Android) ownCloud-android/4.2.1": "ownCloud for Android",
  "Mozilla/5.0 (iOS) Nextcloud-iOS/6.2.0": "Nextcloud for iOS",
  "Mozilla/5.0 (iPhone) Mobile Nextcloud-iOS/6.2.0": "Nextcloud for iPhone",
  "Mozilla/5.0 (iPad) Nextcloud-iOS/6.2.0": "Nextcloud for iPad",
  "Pixel 7 (Nextcloud Notes)": "Nextcloud Notes · Pixel 7",
  "DAVx5/4.4.1 (dav4jvm; okhttp/4.12.0) Android/14": "DAVx5",
  "rclone/v1.66.0": "rclone",
  "": "Sync client",
  "/": "Sync client",
  "Mozilla/5.0 (X11)": "Mozilla",
};

for (const [agent, name] of Object.entries(names)) {
  Deno.test(`a client that says "${agent}" is named`, () => {
    assert.equal(clientNameOf(agent), name);
  });
}

Deno.test("a name of a stranger is short, and cannot turn or break what stands around it", () => {
  const name = clientNameOf(`\u202etxt\u2066\0\r\n\u2028 of ${"long ".repeat(100)}`);
  assert.match(name, /^txt of long/);
  assert.ok(name.length <= 80);
  assert.ok(!/[\p{Cc}\p{Cf}\p{Zl}]/u.test(name));
});
