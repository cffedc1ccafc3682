import { accounts } from "./accounts.ts";
import { frontEnd } from "./front_end.ts";
import { runScenario, startScene } from "./scene.ts";
import { scripts } from "./scripts.ts";
import { resumers } from "./tus.ts";
import { strictDecoders } from "./strict_decoder.ts";

const scenarios = [...frontEnd, ...accounts, ...scripts, ...resumers, ...strictDecoders];
for (const compat of ["spec", "2.63"] as const) {
  const scene = await startScene(compat);
  Deno.test.afterAll(async () => void await scene.server.stop());
  for (const scenario of scenarios) {
    Deno.test(`--api-compat ${compat}: ${scenario.name}`, () => runScenario(scenario, scene));
  }
}
