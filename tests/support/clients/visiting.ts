import assert from "node:assert/strict";
import type { TestApp } from "../server/app.ts";

/** A file that a visitor sends by a request. */
export interface SentFile {
  name: string;
  body: string;
  /** The name that the visitor gives; absent for none. */
  sender?: string;
  /** The visitor's address; 127.0.0.1 unless given. */
  from?: string;
}

/** Asks for files in a folder. @returns the hash of the request */
export async function askForFiles(app: TestApp, token: string, folder: string): Promise<string> {
  const answer = await app.call("POST", `/api/request${folder}`, { token, json: {} });
  assert.equal(answer.status, 200, await answer.clone().text());
  return (await answer.json()).hash;
}

/** Sends a file by a request, as a visitor. */
export async function sendAsVisitor(
  app: TestApp,
  hash: string,
  { name, body, sender = "", from }: SentFile,
): Promise<void> {
  const base = `/api/public/request/${hash}`;
  const entered = await (await app.call("POST", base, { json: {}, from })).json();
  const coded = (text: string) => new TextEncoder().encode(text).toBase64();
  const headers = {
    "x-request-token": entered.token,
    "upload-length": String(body.length),
    "upload-metadata": `filename ${coded(name)}${sender && `,sender ${coded(sender)}`}`,
    "content-type": "application/offset+octet-stream",
  };
  const answer = await app.call("POST", `${base}/files`, { headers, body, from });
  assert.equal(answer.status, 201, await answer.clone().text());
  await answer.body?.cancel();
}
