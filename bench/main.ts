/**
 * `deno task bench [part …]`: measures the real server against the tools people would use instead,
 * and prints a table. bench/README.md says what the parts are. `--quick` is for trying the
 * benchmark itself: small sizes, one round.
 */
import { measureArchives } from "./archives.ts";
import { measureChecksum } from "./checksum.ts";
import { measureContents } from "./contents.ts";
import { measureCopy } from "./copy.ts";
import { measureDownload } from "./download.ts";
import { measureListing } from "./listing.ts";
import { forgetPeaks, peakMemory } from "./memory.ts";
import { measureResume } from "./resume.ts";
import { measureScreen } from "./screen.ts";
import { measurePreviews } from "./previews.ts";
import { measureRequests } from "./requests.ts";
import { measureSearch } from "./search.ts";
import { measureSmallUploads } from "./small_uploads.ts";
import { measureSlowReaders } from "./slow_readers.ts";
import { setStage, type Stage } from "./stage.ts";
import { measureStart } from "./start.ts";
import { type Row, table } from "./table.ts";
import { measureUpload } from "./upload.ts";

/** In the order in which they run. */
const parts: Record<string, (stage: Stage) => Row[] | Promise<Row[]>> = {
  requests: measureRequests,
  listing: measureListing,
  download: measureDownload,
  upload: measureUpload,
  "small-uploads": measureSmallUploads,
  resume: measureResume,
  copy: measureCopy,
  search: measureSearch,
  contents: measureContents,
  checksum: measureChecksum,
  previews: measurePreviews,
  archives: measureArchives,
  "slow-readers": measureSlowReaders,
  start: measureStart,
  screen: measureScreen,
};

const quick = Deno.args.includes("--quick");
const asked = Deno.args.filter((word) => word !== "--quick");
const unknown = asked.find((word) => !Object.hasOwn(parts, word));
if (unknown !== undefined) {
  console.error(`Cannot measure "${unknown}": the parts are ${Object.keys(parts).join(", ")}`);
  Deno.exit(2);
}

await using stage = await setStage(quick);
const interrupt = async () => {
  await stage[Symbol.asyncDispose]();
  Deno.exit(130);
};
Deno.addSignalListener("SIGINT", interrupt);

const rows: Row[] = [];
for (const [name, measure] of Object.entries(parts)) {
  if (asked.length > 0 && !asked.includes(name)) continue;
  forgetPeaks(stage);
  rows.push(...await measure(stage), ...peakMemory(name, stage));
}
console.log(table(rows));
Deno.removeSignalListener("SIGINT", interrupt);
