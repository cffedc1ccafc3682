import { userPassword } from "../../support/server/app.ts";
import { beginTotp, codeOf, enrol } from "../../support/clients/factors.ts";
import { asking, type Case, type Scene } from "./case.ts";

/** The calls about second factors. */
export async function factorCases(scene: Scene): Promise<Case[]> {
  const { app } = scene;
  const current_password = userPassword;
  const flora = await app.addUser("flora");
  const { setup, secret } = await beginTotp(app, flora.token);
  const fred = await enrol(app, "fred");
  const unused = fred.recoveryCodes.values();
  const proof = () => ({ current_password, code: unused.next().value });
  const { id = 0 } = await app.cubby.users.byName("fred") ?? {};
  const { token: wary } = await app.addUser("wanda", { perm: { admin: true } });
  const guess = { current_password: "not the right one" };
  for (let time = 0; time < 5; time++) {
    const call = { token: wary, json: guess };
    await (await app.call("DELETE", `/api/users/${id}/factors`, call)).body?.cancel();
  }
  const { token } = fred;
  const get = asking("getFactors", "/api/factors", scene);
  const begin = asking("beginTotp", "/api/factors/totp", scene);
  const add = asking("addTotp", "/api/factors/totp", scene);
  const remove = asking("removeTotp", "/api/factors/totp", scene);
  const renew = asking("renewRecoveryCodes", "/api/factors/recovery", scene);
  const look = asking("getFactorsOf", `/api/users/${id}/factors`, scene);
  const reset = asking("resetFactors", `/api/users/${id}/factors`, scene);
  const nobody = asking("resetFactors", "/api/users/999/factors", scene);
  const unknown = asking("getFactorsOf", "/api/users/999/factors", scene);
  const adminPassword = { json: { current_password: app.admin.password } };
  // Codes are good for a minute: they are made when the call is.
  const setUp = () => ({ setup, app_code: codeOf(secret), current_password });
  const again = await beginTotp(app, token);
  const begun = await beginTotp(app, wary);
  const twice = () => ({ setup: again.setup, app_code: codeOf(again.secret) });
  return [
    get("200 application/json", ""),
    begin("200 application/json", ""),
    add("404 not_found", "", () => ({ token: flora.token, json: { ...setUp(), setup: "none" } })),
    add("400 invalid_option", "", () => ({
      token: flora.token,
      json: { ...setUp(), app_code: "abc" },
    })),
    add("403 wrong_credentials", "", () => ({
      token: flora.token,
      json: { ...setUp(), current_password: "" },
    })),
    add("429 throttled", "", () => ({
      token: wary,
      json: { ...guess, setup: begun.setup, app_code: codeOf(begun.secret) },
    })),
    add("409 exists", "", () => ({ token, json: { ...twice(), ...proof() } })),
    add("200 application/json", "", () => ({ token: flora.token, json: setUp() })),
    renew("403 wrong_credentials", "", { json: {} }),
    renew("404 not_found", "", adminPassword),
    renew("429 throttled", "", { token: wary, json: guess }),
    remove("403 wrong_credentials", "", { json: {} }),
    remove("404 not_found", "", adminPassword),
    remove("429 throttled", "", { token: wary, json: guess }),
    remove("200 text/plain", "", () => ({ token, json: proof() })),
    renew("200 application/json", "", await enrolledOnce()),
    look("200 application/json", ""),
    unknown("404 not_found", ""),
    reset("403 wrong_credentials", ""),
    reset("429 throttled", "", { token: wary, json: guess }),
    nobody("404 not_found", "", adminPassword),
    reset("200 text/plain", "", adminPassword),
  ];

  async function enrolledOnce() {
    const frida = await enrol(app, "frida");
    const [code] = frida.recoveryCodes;
    return { token: frida.token, json: { current_password, code } };
  }
}
