/** The statuses of an {@linkcode HttpError}: every registered 4xx and 5xx (RFC 9110 and others). */
export type ErrorStatus =
  | 400
  | 401
  | 402
  | 403
  | 404
  | 405
  | 406
  | 407
  | 408
  | 409
  | 410
  | 411
  | 412
  | 413
  | 414
  | 415
  | 416
  | 417
  | 418
  | 421
  | 422
  | 423
  | 424
  | 425
  | 426
  | 428
  | 429
  | 431
  | 451
  | 500
  | 501
  | 502
  | 503
  | 504
  | 505
  | 506
  | 507
  | 508
  | 510
  | 511;

/**
 * Thrown by a handler or middleware to answer with an HTTP error. The nearest error route sees it
 * as `ctx.error`; a 404 always goes to the not-found route.
 */
export class HttpError extends Error {
  /** The status of the answer. */
  status: ErrorStatus;

  /**
   * @param status The status of the answer.
   * @param message What went wrong. Empty means: the standard text of the status.
   * @param options The cause, if there is one.
   */
  constructor(status: ErrorStatus, message?: string, options?: ErrorOptions) {
    super(message, options);
    this.name = this.constructor.name;
    this.status = status;
  }
}
