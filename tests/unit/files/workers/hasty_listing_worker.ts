import "./hasty_time.ts";
import "../../../../lib/server/files/workers/listing_worker_main.ts";
