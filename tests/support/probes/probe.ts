/**
 * Stands in for the application in the real server process: does what a test asks for, with the
 * rights of that process, and tells how it went. It shows what our own code could do if it were
 * somebody else's.
 */
import { atShutdown } from "../../../lib/server/boot/shutdown.ts";
import { readConfig } from "../../../lib/server/boot/launch_payload.ts";
import { slowBody } from "../clients/slow_body.ts";
import { makeCalls, type RawCall } from "./system_calls.ts";

/** What the probe is asked to do. */
export type ProbeStep =
  | { do: "read" | "list" | "remove" | "makeFolder" | "openFolder" | "loadLibrary"; path: string }
  | { do: "write"; path: string; text: string }
  | { do: "move" | "hardLink"; path: string; to: string }
  | { do: "run"; program: string; args: string[] }
  | { do: "connect" | "listen"; port: number }
  | { do: "environment"; name: string }
  | { do: "crash"; thread: "first" | "further" }
  | { do: "call"; thread: "first" | "further" | "worker"; calls: RawCall[] }
  | { do: "fetch"; url: string }
  | { do: "keep" | "recall" | "hash" | "signal" | "throwLater" };

/** How it went: a text, or the name and message of the error. */
export type ProbeAnswer = { ok: true; text: string } | { ok: false; error: string };

const config = await readConfig();
const store = await Deno.openKv(config.database);
const thread = crypto.randomUUID();
/** Whether this is a Worker, and not the thread that the process began with. */
const isFurther = "DedicatedWorkerGlobalScope" in globalThis;
atShutdown(() => {
  store.close();
  console.log("The probe has closed its store");
});

async function perform(step: ProbeStep): Promise<string> {
  switch (step.do) {
    case "read":
      return await Deno.readTextFile(step.path);
    case "list":
      return (await Array.fromAsync(Deno.readDir(step.path))).map(({ name }) => name).join(",");
    case "openFolder":
      return (await Deno.open(step.path)).close() ?? "";
    case "write":
      return await Deno.writeTextFile(step.path, step.text) ?? "";
    case "remove":
      return await Deno.remove(step.path, { recursive: true }) ?? "";
    case "makeFolder":
      return await Deno.mkdir(step.path) ?? "";
    case "move":
      return await Deno.rename(step.path, step.to) ?? "";
    case "hardLink":
      return await Deno.link(step.path, step.to) ?? "";
    case "loadLibrary":
      return Deno.dlopen(step.path, {}).close() ?? "";
    case "run": {
      const { success, stderr } = await new Deno.Command(step.program, { args: step.args })
        .output();
      return success ? "" : new TextDecoder().decode(stderr);
    }
    case "connect":
      return (await Deno.connect({ hostname: "127.0.0.1", port: step.port })).close() ?? "";
    case "listen":
      return Deno.listen({ hostname: "127.0.0.1", port: step.port }).close() ?? "";
    case "environment":
      return String(Deno.env.get(step.name));
    case "keep":
      return (await store.set(["kept"], thread)).versionstamp;
    case "recall":
      return String((await store.get(["kept"])).value);
    case "hash": {
      const { hash } = await import("@node-rs/bcrypt");
      return await hash("a cub naps", 4);
    }
    case "signal":
      return Deno.kill(1, "SIGCONT") ?? "";
    case "crash":
      if (step.thread !== (isFurther ? "further" : "first")) return "not this thread";
      setTimeout(() => {
        throw new Error("thrown out of the event loop");
      });
      return "crashing";
    case "call":
      if (step.thread === "worker") return (await callInWorker(step.calls)).join();
      if (step.thread !== (isFurther ? "further" : "first")) return "not this thread";
      return makeCalls(config.libc ?? "", step.calls).join();
    case "fetch":
      return await (await fetch(step.url)).text();
    case "throwLater":
      Promise.reject(new Error("nobody waits for this"));
      return thread;
  }
}

async function callInWorker(calls: RawCall[]): Promise<number[]> {
  const worker = new Worker(new URL("./calling_worker.ts", import.meta.url), { type: "module" });
  try {
    const { promise, resolve, reject } = Promise.withResolvers<number[]>();
    worker.onmessage = ({ data }) => resolve(data);
    worker.onerror = (event) => {
      event.preventDefault();
      reject(new Error(event.message));
    };
    worker.postMessage({ libc: config.libc, calls });
    return await promise;
  } finally {
    worker.terminate();
  }
}

async function answer(step: ProbeStep): Promise<ProbeAnswer> {
  try {
    return { ok: true, text: await perform(step) };
  } catch (error) {
    return { ok: false, error: error instanceof Error ? `${error.name}: ${error.message}` : "" };
  }
}

async function upload(req: Request): Promise<Response> {
  const path = `${config.root}/uploaded.bin`;
  try {
    await Deno.writeFile(path, req.body ?? new Uint8Array());
    return new Response("stored");
  } catch (error) {
    await Deno.remove(path);
    throw error;
  }
}

export default {
  async fetch(req: Request): Promise<Response> {
    const url = new URL(req.url);
    if (url.pathname === "/thread") return new Response(thread);
    if (url.pathname === "/slow") return new Response(slowBody(Number(url.search.slice(1))));
    if (url.pathname === "/upload") return await upload(req);
    if (url.pathname === "/fail") throw new Error("a secret of the program");
    return Response.json(await answer(await req.json()));
  },
};
