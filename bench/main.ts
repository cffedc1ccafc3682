/**
 * `deno task bench [part …]`: measures the real server against the tools people would use instead,
 * and prints a table. bench/README.md says what the parts are. `--quick` is for trying the
 * benchmark itself: small sizes, one round.
 */
import { measureArchives } from "./parts/archives.ts";
import { measureChecksum } from "./parts/checksum.ts";
import { measureCoediting } from "./parts/coediting.ts";
import { measureContents } from "./parts/contents.ts";
import { measureCopy } from "./parts/copy.ts";
import { measureDownload } from "./parts/download.ts";
import { measureClients, measureEntries } from "./parts/growth.ts";
import {
  measureActivities,
  measureShares,
  measureTrash,
  measureUsers,
} from "./parts/growth_records.ts";
import { measureListing } from "./parts/listing.ts";
import { forgetPeaks, peakMemory } from "./memory.ts";
import { measureNodes } from "./parts/nodes.ts";
import { measureOffice } from "./parts/office.ts";
import { measureResume } from "./parts/resume.ts";
import { measureDav, measurePeers } from "./parts/peers.ts";
import { measureScreen } from "./parts/screen.ts";
import { measurePreviews } from "./parts/previews.ts";
import { measureRequests } from "./parts/requests.ts";
import { measureSearch } from "./parts/search.ts";
import { measureSmallUploads } from "./parts/small_uploads.ts";
import { measureSlowReaders } from "./parts/slow_readers.ts";
import { type Setup, setUp } from "./set_up.ts";
import { measureClientUploads, measureIdleClients } from "./parts/sync_clients.ts";
import { measureStreams } from "./parts/streams.ts";
import { measureStart } from "./parts/start.ts";
import { type Row, table } from "./table.ts";
import { measureUpload } from "./parts/upload.ts";

/** In the order in which they run. */
const parts: Record<string, (setup: Setup) => Row[] | Promise<Row[]>> = {
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
  coediting: measureCoediting,
  "slow-readers": measureSlowReaders,
  start: measureStart,
  nodes: measureNodes,
  screen: measureScreen,
  peers: measurePeers,
  dav: measureDav,
  "growth-entries": measureEntries,
  "growth-clients": measureClients,
};

/** Those that start servers of their own, in the order in which they run, after the others. */
const alone: Record<string, (isQuick: boolean) => Promise<void>> = {
  office: measureOffice,
  streams: measureStreams,
  "sync-idle": measureIdleClients,
  "sync-uploads": measureClientUploads,
  "growth-users": measureUsers,
  "growth-shares": measureShares,
  "growth-trash": measureTrash,
  "growth-activities": measureActivities,
};

/** Parts that print on their own and take long: only when they are asked for. */
const onRequest = /^(peers|dav|office|sync-.*|growth-.*)$/;

/** Whether a word asks for a part: by its name, or by what several names begin with. */
const asksFor = (word: string, part: string) => part === word || part.startsWith(`${word}-`);

const quick = Deno.args.includes("--quick");
const asked = Deno.args.filter((word) => word !== "--quick");
const names = [...Object.keys(parts), ...Object.keys(alone)];
const unknown = asked.find((word) => !names.some((name) => asksFor(word, name)));
if (unknown !== undefined) {
  console.error(`Cannot measure "${unknown}": the parts are ${names.join(", ")}`);
  Deno.exit(2);
}
const chosen = new Set(
  names.filter((name) =>
    asked.length > 0 ? asked.some((word) => asksFor(word, name)) : !onRequest.test(name)
  ),
);

/** The figures of the other parts are not lost with one that fails. */
async function attempt(name: string, measure: () => Promise<unknown>): Promise<void> {
  try {
    await measure();
  } catch (error) {
    console.error(`Cannot measure ${name}:`, error);
    Deno.exitCode = 1;
  }
}

async function measureTogether(): Promise<void> {
  await using setup = await setUp(quick);
  const interrupt = async () => {
    await setup[Symbol.asyncDispose]();
    Deno.exit(130);
  };
  Deno.addSignalListener("SIGINT", interrupt);
  const rows: Row[] = [];
  for (const [name, measure] of Object.entries(parts).filter(([name]) => chosen.has(name))) {
    forgetPeaks(setup);
    await attempt(name, async () => {
      rows.push(...await measure(setup), ...peakMemory(name, setup));
    });
  }
  if (rows.length > 0) console.log(table(rows));
  Deno.removeSignalListener("SIGINT", interrupt);
}

if (Object.keys(parts).some((name) => chosen.has(name))) await measureTogether();
for (const [name, measure] of Object.entries(alone)) {
  if (chosen.has(name)) await attempt(name, () => measure(quick));
}
