import { userPassword } from "../../support/server/app.ts";
import { SoftAuthenticator } from "../../support/clients/authenticator.ts";
import { addPasskey, askPasskey, beginPasskey } from "../../support/clients/passkeys.ts";
import { asking, type Case, type Scene } from "./case.ts";

const origin = "http://cubby.test";

/** The calls about passkeys. */
export async function passkeyCases(scene: Scene): Promise<Case[]> {
  return [...await signingIn(scene), ...await managing(scene)];
}

async function signingIn(scene: Scene): Promise<Case[]> {
  const { app } = scene;
  const ask = asking("askPasskey", "/api/login/passkey", scene);
  const enter = asking("loginByPasskey", "/api/login/passkey", scene);
  const keeper = new SoftAuthenticator(origin);
  await addPasskey(app, (await app.addUser("petra")).token, keeper);
  const wary = new SoftAuthenticator(origin);
  await addPasskey(app, (await app.addUser("pam")).token, wary);
  const right = keeper.sign(await askPasskey(app));
  const wrong = keeper.sign(await askPasskey(app), { unverified: true });
  for (let time = 0; time < 5; time++) {
    const json = wary.sign(await askPasskey(app), { unverified: true });
    await (await app.call("PUT", "/api/login/passkey", { json, from: "192.0.2.51" })).text();
  }
  const guess = { json: wary.sign(await askPasskey(app)), from: "192.0.2.51" };
  return [
    ask("403 forbidden", "", { token: "" }, scene.open),
    ask("200 application/json", "", { token: "" }),
    enter("400 invalid_body", "", { json: { id: "a" } }),
    enter("403 wrong_credentials", "", { json: wrong }),
    enter("429 throttled", "", guess),
    enter("200 text/plain", "", { token: "", json: right }),
  ];
}

async function managing(scene: Scene): Promise<Case[]> {
  const { app } = scene;
  const current_password = userPassword;
  const begin = asking("beginPasskey", "/api/factors/passkeys", scene);
  const add = asking("addPasskey", "/api/factors/passkeys", scene);
  const rename = asking("renamePasskey", "/api/factors/passkeys/", scene);
  const remove = asking("removePasskey", "/api/factors/passkeys/", scene);
  const device = new SoftAuthenticator(origin);
  const holder = await addPasskey(app, (await app.addUser("paul")).token, device);
  const { token } = holder;
  const unused = holder.recoveryCodes.values();
  const proof = () => ({ current_password, code: unused.next().value });
  const { id } = device.held[0] ?? { id: undefined };
  // A refusal is asked for twice, as JSON and as text, and each question is answered once.
  const twice = [
    device.create(await beginPasskey(app, token, proof()), { id }),
    device.create(await beginPasskey(app, token, proof()), { id }),
  ].values();
  const { token: newcomer } = await app.addUser("pola");
  const unverified = [
    device.create(await beginPasskey(app, newcomer), { unverified: true }),
    device.create(await beginPasskey(app, newcomer), { unverified: true }),
  ].values();
  const good = device.create(await beginPasskey(app, newcomer));
  const { token: wary } = await app.addUser("pius");
  const wrong = { current_password: "not the right one" };
  const guess = { token: wary, json: wrong, from: "192.0.2.53" };
  for (let time = 0; time < 5; time++) {
    await (await app.call("POST", "/api/factors/passkeys", guess)).body?.cancel();
  }
  const asPola = (credential: unknown) => ({
    token: newcomer,
    json: { name: "phone", credential },
  });
  const passkeyId = id?.toString("base64url") ?? "";
  return [
    begin("403 wrong_credentials", "", { json: {} }),
    begin("429 throttled", "", guess),
    begin("400 invalid_option", "", {
      token: newcomer,
      json: { current_password },
      origin: "http://192.0.2.1",
    }),
    begin("200 application/json", "", { token: newcomer, json: { current_password } }),
    add("400 invalid_body", "", { json: { name: "" } }),
    add("400 invalid_option", "", () => asPola(unverified.next().value)),
    add(
      "409 exists",
      "",
      () => ({ token, json: { name: "phone", credential: twice.next().value } }),
    ),
    add("200 application/json", "", asPola(good)),
    add("404 not_found", "", { token, json: { name: "phone", credential: good } }),
    rename("400 invalid_body", passkeyId, { token, json: { name: " " } }),
    rename("404 not_found", "none", { token, json: { name: "key ring" } }),
    rename("200 application/json", passkeyId, { token, json: { name: "key ring" } }),
    remove("403 wrong_credentials", passkeyId, { json: {} }),
    remove("429 throttled", passkeyId, guess),
    remove("404 not_found", "none", () => ({ token, json: proof() })),
    remove("200 text/plain", passkeyId, () => ({ token, json: proof() })),
  ];
}
