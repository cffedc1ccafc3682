import assert from "node:assert/strict";
import type { LdapDirectory } from "../../../lib/server/core/config/ldap_options.ts";
import type { OidcProvider } from "../../../lib/server/core/config/oidc_options.ts";
import { signInAlone } from "../../../lib/server/http/request/auth/factor_requests.ts";

Deno.test("a passkey alone signs in where nobody else decides who may", () => {
  const ldap = {} as LdapDirectory;
  const oidc = (only: boolean) => ({ only }) as OidcProvider;
  assert.ok(signInAlone({ authMethod: "json" }));
  assert.ok(signInAlone({ authMethod: "json", oidc: oidc(false) }));
  assert.ok(!signInAlone({ authMethod: "json", oidc: oidc(true) }));
  assert.ok(!signInAlone({ authMethod: "json", ldap }));
  for (const authMethod of ["hook", "proxy", "noauth"] as const) {
    assert.ok(!signInAlone({ authMethod }), authMethod);
  }
});
