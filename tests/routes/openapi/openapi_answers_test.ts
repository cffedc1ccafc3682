import assert from "node:assert/strict";
import { decodeJwt } from "jose";
import { findCalls } from "../../../lib/server/http/find_calls.ts";
import type { ApiDocument } from "../../../lib/server/http/openapi/types.ts";
import type { CallOptions } from "../../support/server/app.ts";
import { callsOf, Conformance, readAnswer } from "../../support/server/conformance.ts";
import { requestHead, sendRaw } from "../../support/clients/raw_http.ts";
import { follow } from "../../support/clients/watching.ts";
import type { Case } from "../documented/case.ts";
import { contentCases } from "../documented/content_cases.ts";
import { factorCases } from "../documented/factor_cases.ts";
import { notificationCases } from "../documented/notification_cases.ts";
import { passkeyCases } from "../documented/passkey_cases.ts";
import { inviteCases } from "../documented/invite_cases.ts";
import { genericRefusals, promisesOf } from "../documented/generic_refusals.ts";
import { groupCases } from "../documented/group_cases.ts";
import { jobCases } from "../documented/jobs_cases.ts";
import { placeCases } from "../documented/place_cases.ts";
import { trashCases } from "../documented/trash_cases.ts";
import { uploadCases } from "../documented/upload_cases.ts";
import { resourceCases } from "../documented/resource_cases.ts";
import { openScene } from "../documented/scene.ts";
import { auditCases } from "../documented/audit_cases.ts";
import { webhookCases } from "../documented/webhook_cases.ts";
import { commandCases, serverCases, watchCases } from "../documented/server_cases.ts";
import { keepActivity } from "../../support/server/audited.ts";
import { sessionCases } from "../documented/session_cases.ts";
import { recipientCases } from "../documented/recipient_cases.ts";
import { requestCases } from "../documented/request_cases.ts";
import { shareCases } from "../documented/share_cases.ts";
import { sharedChangeCases } from "../documented/shared_change_cases.ts";
import { userCases } from "../documented/user_cases.ts";

/** What one request to a sound server does not bring about. */
const rare = [
  // health_test.ts.
  /^ready 503 application\/json$/,
  /** A server with `--api-compat 2.63`: see `../compat/`. */
  /^remove 204$/,
  /** A full disk, or one that is read only: see `tests/unit/files/failing_disks_test.ts`. */
  /^\w+ 507 disk_full$/,
  /** A user with a quota: see `tests/routes/users/quota_test.ts`. */
  /^\w+ 507 over_quota$/,
  /^\w+ 403 read_only$/,
  /** One upload sent twice: see `tests/routes/files/tus_writers_test.ts`. */
  /^(?:\w+Upload|uploadState|\w+Added|addedState|\w+Received|receivedState) 423 locked$/,
  /** Uploads that have all bytes but not their names: see `tests/routes/files/tus_names_test.ts`. */
  /^(?:continueUpload|uploadState) (?:409 exists|403 hook_failed)$/,
  /^(?:\w+Added|addedState|\w+Received|receivedState) 403 hook_failed$/,
  /** A job that is cancelled meanwhile: see `tests/routes/jobs/jobs_faults_test.ts`. */
  /^remove 412 precondition_failed$/,
  /** More webhooks than a server may have: see `tests/routes/notifications/webhooks_test.ts`. */
  /^addWebhook 409 exists$/,
  /** A file that changes while it is copied; another disk in the way. */
  /^transfer (?:412 precondition_failed|501 not_supported)$/,
  /^moveShared 501 not_supported$/,
  /** A disk without a trash: see `tests/security/shares/shared_edits_test.ts`. */
  /^removeShared 501 no_trash$/,
  /** More at once than there is room for: see `tests/security/http/slow_readers_test.ts`. */
  /^\w+ 503 busy$/,
  /** A disk that can't be watched: see `tests/routes/files/watch_test.ts`. */
  /^watch 501 not_supported$/,
  /** A mail server that is away: see `tests/routes/users/invite_mail_test.ts`. */
  /^makeInvite 503 mail_failed$/,
  /** Films that FFmpeg converts: see `tests/routes/media/stream_test.ts`. */
  /^stream(?:Shared)? (?:200 .*|400 invalid_option|429 throttled)$/,
  /** A codec that does not load. */
  /^download(?:Shared|Chosen)? 501 not_supported$/,
];

const routes = new URL("../../../routes/", import.meta.url);
const scene = await openScene();
Deno.test.afterAll(scene.close);
const { app, telling } = scene;
const token = await app.tokenOf("admin");
const to = app.listen();
const document: ApiDocument = await (await app.call("GET", "/api/openapi.json")).json();
const conformance = new Conformance(document);
/** What each answers may follow from what those before it in its list have done. */
const lists = [
  await sessionCases(scene),
  await userCases(scene),
  await groupCases(scene),
  await factorCases(scene),
  await passkeyCases(scene),
  await shareCases(scene),
  await recipientCases(scene),
  await sharedChangeCases(scene),
  await requestCases(scene),
  resourceCases(scene),
  uploadCases(scene),
  await jobCases(scene),
  await placeCases(scene),
  await trashCases(scene),
  contentCases(scene),
  commandCases(scene),
  watchCases(scene),
  serverCases(scene),
  auditCases(scene),
  await notificationCases(scene),
  await webhookCases(scene),
  await inviteCases(scene),
];

/** Events wait a moment to be delivered together: not beyond the end of a test. */
const deliver = () => telling.cubby.webhooks?.deliver();
await deliver();
Deno.test.afterEach(deliver);

async function answerTo({ id, path, carried, app }: Case, accept?: string): Promise<Response> {
  const call = callsOf(document).find(({ operation }) => operation.operationId === id);
  assert.ok(call, id);
  const options: CallOptions = {
    token: await app.tokenOf("admin"),
    ...typeof carried === "function" ? await carried() : carried,
  };
  if (accept) options.headers = { ...options.headers, accept };
  return await app.call(call.method.toUpperCase(), path, options);
}

/** Waits for the job that goes on after an answer. */
async function endOf({ app }: Case, location: string): Promise<void> {
  const headers = { prefer: "wait=30" };
  const answer = await app.call("GET", location, { token: await app.tokenOf("admin"), headers });
  await answer.body?.cancel();
}

type Run = () => Promise<void>;

/** Tests that give answers, in their order. */
const runs: Run[] = [];

/**
 * Registers a test that gives answers once: those that it follows from are given before it, however
 * tests are filtered or shuffled.
 */
function testAnswers(name: string, body: Run, before: readonly Run[] = []): Run {
  let given: Promise<void> | undefined;
  const give = async () => {
    // What fails there is the failure of that test.
    for (const earlier of before) await earlier().catch(() => {});
    await body();
  };
  const run = () => given ??= give();
  runs.push(run);
  Deno.test(name, run);
  return run;
}

for (const list of lists) {
  list.reduce<Run[]>((before, one) => [...before, testCase(one, before)], []);
}

function testCase(one: Case, before: readonly Run[]): Run {
  const name = `${one.id} answers ${one.gives}: ${one.path.slice(0, 60)}`;
  return testAnswers(name, async () => {
    const answer = await readAnswer(await answerTo(one));
    assert.equal(conformance.check(one.id, answer), one.gives);
    if (answer.status === 202) await endOf(one, answer.headers.get("location") ?? "");
    if (answer.status < 400) return;
    const sentence = await readAnswer(await answerTo(one, "*/*"));
    assert.equal(conformance.check(one.id, sentence), `${answer.status} text/plain`);
  }, before);
}

testAnswers("command answers 101 to a WebSocket", async () => {
  const { commanding } = scene;
  const answer = await sendRaw(
    commanding.listen(),
    requestHead("GET", "/api/command/", {
      ...{ connection: "Upgrade", upgrade: "websocket", "sec-websocket-version": 13 },
      ...{ "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==" },
      "x-auth": await commanding.tokenOf("admin"),
    }),
  );
  for (const name of ["connection", "date"]) answer.headers.delete(name);
  assert.equal(conformance.check("command", answer), "101");
});

testAnswers("the calls that edit texts together answer 101 to a WebSocket", async () => {
  const shared = await app.call("POST", "/api/share/a.txt", { token, json: {} });
  const { hash } = await shared.json();
  for (
    const [id, path] of [
      ["editTogether", "/api/coediting/a.txt"],
      ["editSharedTogether", `/api/public/coediting/${hash}`],
    ] as const
  ) {
    const head = requestHead("GET", path, {
      ...{ connection: "Upgrade", upgrade: "websocket", "sec-websocket-version": 13 },
      "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==",
      ...id === "editTogether" && { "x-auth": await app.tokenOf("admin") },
    });
    const { status, headers } = await sendRaw(to, head);
    for (const name of ["connection", "date"]) headers.delete(name);
    // What may follow are messages, and no body.
    assert.equal(conformance.check(id, { status, headers, body: "" }), "101");
  }
  await app.cubby.coediting.settle();
});

testAnswers("watch answers 200 with events", async () => {
  const answer = await app.call("GET", "/api/watch/photos/", { token });
  const { status, headers } = answer;
  await using watching = follow(answer);
  assert.equal(await watching.next(), "ready");
  const read = { status, headers, body: "event: ready" };
  assert.equal(conformance.check("watch", read), "200 text/event-stream");
});

testAnswers("listActivity and entryHistory answer 200 while the log is kept", async () => {
  await keepActivity(app, "changes");
  const made = await app.call("POST", "/api/resources/noted.txt", { token, body: "text" });
  await made.body?.cancel();
  for (
    const [id, path] of [["listActivity", "/audit"], [
      "entryHistory",
      "/history/noted.txt",
    ]] as const
  ) {
    const answer = await readAnswer(await app.call("GET", `/api${path}`, { token }));
    assert.equal(conformance.check(id, answer), "200 application/json");
  }
  await keepActivity(app, "off");
});

Deno.test("every answer that the document promises was given", async () => {
  for (const run of runs) await run();
  const isRare = (promise: string) => rare.some((pattern) => pattern.test(promise));
  // What is refused by the declarations alone is asked for in `generic_test.ts`.
  const generic = promisesOf(genericRefusals(await findCalls(routes)));
  const unseen = conformance.unseen().filter((promise) => !generic.has(promise));
  assert.deepEqual(unseen.filter((promise) => !isRare(promise)), []);
});

Deno.test("a token says what the document tells of it", () => {
  conformance.checkValue("TokenClaims", decodeJwt(token));
});
