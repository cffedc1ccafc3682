import { ROOT } from "../../../shared/path.ts";
import type { Access } from "../../core/access/access.ts";
import { type Allowance, type Growth, noGrowth } from "../../core/access/allowance.ts";
import type { FormerFiles } from "./commit_upload.ts";
import { growthOf } from "./growth.ts";
import { makeTicket, type PartReservation, type UploadPart } from "./upload_parts.ts";

/** Reserves room for a whole upload of a user with a quota, or makes sure that it still is. */
export async function holdReservation(
  allowance: Allowance | undefined,
  growth: Growth,
  action: string,
  former?: PartReservation,
): Promise<PartReservation | undefined> {
  if (!allowance) return former;
  const room = reservationIn(allowance, former);
  await allowance.hold(growth, action, room.ticket);
  return room;
}

/**
 * Reserves room for an upload in chunks, whose target may not be known yet.
 *
 * @param bytes of all its chunks so far, where that is more than announced
 * @throws {DomainError} `over_quota`
 */
export async function chunksReservation(
  access: Access,
  { path, announced = 0, room }: Pick<UploadPart, "path" | "announced" | "room">,
  bytes: number,
  action: string,
  formerFiles?: FormerFiles,
): Promise<PartReservation | undefined> {
  if (!access.allowance) return room;
  const whole = Math.max(bytes, announced);
  const growth = path === ROOT
    ? { bytes: whole, files: 1 }
    : await growthOf(access.write(path), whole, formerFiles);
  return await holdReservation(access.allowance, growth, action, room);
}

/**
 * Refuses a visitor's upload that has no room now. Nothing is reserved before bytes come: an
 * announcement that costs its sender nothing must not fill the quota of the owner.
 *
 * @returns the ticket by which {@link VisitorReservation} reserves
 * @throws {DomainError} `over_quota`
 */
export async function visitorReservation(
  allowance: Allowance | undefined,
  growth: Growth,
  action: string,
): Promise<PartReservation | undefined> {
  if (!allowance) return undefined;
  const { bytes, files, usedBytes, usedFiles } = await allowance.usage();
  const isOver = bytes > 0 && (usedBytes ?? 0) + growth.bytes > bytes ||
    files > 0 && (usedFiles ?? 0) + growth.files > files;
  if (isOver) await (await allowance.reserve(growth, action)).settle(noGrowth);
  return reservationIn(allowance);
}

/** Room is reserved in steps that grow with what has come, of these sizes in bytes. */
const minStepBytes = 64 * 1024;
const maxStepBytes = 8 * 1024 * 1024;

/** Reserves room for the bytes of a visitor as they come. */
export class VisitorReservation {
  readonly room: PartReservation | undefined;
  readonly #allowance: Allowance | undefined;
  readonly #length: number;
  readonly #files: number;
  readonly #action: string;
  #held = 0;

  /** @param files that it adds, with the folders that are to be made for it */
  constructor(
    allowance: Allowance | undefined,
    { room, length }: Pick<UploadPart, "room" | "length">,
    files: number,
    action: string,
  ) {
    this.#files = files;
    this.room = allowance ? reservationIn(allowance, room) : room;
    this.#allowance = allowance;
    this.#length = length;
    this.#action = action;
  }

  /** Makes sure that there is room for all that has come. @throws {DomainError} `over_quota` */
  async cover(come: number): Promise<void> {
    if (come <= this.#held) return;
    const step = Math.max(minStepBytes, Math.min(come, maxStepBytes));
    await this.#hold(come, Math.min(this.#length - come, step));
  }

  /** Keeps reserved what has come, and no more. */
  async end(come: number): Promise<void> {
    const isWhole = come === this.#length;
    if (isWhole || this.#held > 0 && come !== this.#held) await this.#hold(come);
  }

  async #hold(bytes: number, spare = 0): Promise<void> {
    if (!this.#allowance || !this.room) return;
    const held = await this.#allowance.hold(
      { bytes, files: this.#files },
      this.#action,
      this.room.ticket,
      { bytes: spare, files: 0 },
    );
    this.#held = held.bytes;
  }
}

function reservationIn({ area }: Allowance, former?: PartReservation): PartReservation {
  return { area, ticket: former?.area === area ? former.ticket : makeTicket() };
}
