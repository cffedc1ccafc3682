import * as v from "valibot";
import { entrySchema, resourceSchema } from "./entry.ts";
import { about, count } from "./parts.ts";

/** Degrees: west, south, east, north. A box over the date line has its west east of its east. */
export type PlaceBox = readonly [west: number, south: number, east: number, north: number];

/** The schema of {@linkcode Timeline}. */
export const timelineSchema = about(
  "Photos and videos of all folders by when they were taken, the latest first.",
  v.object({
    items: about("The requested window.", v.array(entrySchema)),
    total: about("Photos and videos in the whole timeline.", count),
    offset: about("Where the window starts.", count),
    stamp: about("Changes when photos have come, changed or gone.", v.string()),
    groups: resourceSchema.entries.groups,
    unread: about(
      "Files that are not read yet, and stand where they were modified. The server reads them in " +
        "the background.",
      count,
    ),
  }),
);

/** A window of the timeline. */
export type Timeline = v.InferOutput<typeof timelineSchema>;

/** The schema of {@linkcode Memory}. */
const memorySchema = about(
  "Photos and videos of this day in a former year.",
  v.object({
    year: count,
    count: about("All of that day.", count),
    items: about("The latest of them.", v.array(entrySchema)),
  }),
);

/** Photos and videos of this day in a former year. */
export type Memory = v.InferOutput<typeof memorySchema>;

/** The schema of {@linkcode PhotoPlaces}. */
export const photoPlacesSchema = about(
  "Where photos and videos were taken.",
  v.object({
    places: about(
      "Latitude and longitude in degrees, one after the other, the latest photo first.",
      v.array(v.number()),
    ),
    days: about(
      "The days they were taken on, in the same order: days since 1970-01-01, by the clock of the " +
        "camera.",
      v.array(v.number()),
    ),
    total: about("Photos and videos with a place; `places` has the latest of them.", count),
  }),
);

/** Where photos and videos were taken. */
export type PhotoPlaces = v.InferOutput<typeof photoPlacesSchema>;
