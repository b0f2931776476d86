/** What a fault can do to an operation. With `status` the operation does not run; with every other effect it does. */
export interface OperationEffects {
  /** 200 to 599 except 204, 205 and 304: the response is a problem document with this status. */
  readonly status: number;
  /** Milliseconds of wall time to wait before the operation runs. */
  readonly delay: number;
  /** The connection breaks before the response. A streamed generation continues for `streamGrace`. */
  readonly drop: true;
  /** The operation, even a streamed generation, runs to its end; then the connection breaks before the response. */
  readonly loseAnswer: true;
  /** Bytes of the body to send before the connection breaks. A body of at most that many bytes arrives complete. */
  readonly truncate: number;
  /** The connection of an event stream breaks. Another response arrives complete. */
  readonly cutStream: {
    /** How many of its events are sent before. */
    readonly after: number;
  };
  /** The response never comes: the connection stays open until the client closes it. */
  readonly stall: true;
  /** The body of the response is not JSON. */
  readonly malformed: true;
}

/** What a fault can do to one attempt of a delivery. */
export interface DeliveryEffects {
  /** Nothing is sent; the attempt fails. */
  readonly drop: true;
  /** Milliseconds on the server's clock. Later deliveries to the same URL do not wait for this one. */
  readonly delay: number;
  /** The next delivery to that URL overtakes it. Without one, it is sent after 30 seconds on the server's clock. */
  readonly reorder: true;
  /** The receiver handles the delivery, but its response is lost: the attempt fails and is retried. */
  readonly loseAnswer: true;
  /** Number of extra copies to send. */
  readonly duplicate: number;
  /** The signature is wrong. */
  readonly badSignature: true;
  /** Seconds by which the signed timestamp is too old. */
  readonly staleTimestamp: number;
}

/** The chaos of a simulation uses the same names. */
export type FaultEffect = keyof OperationEffects | keyof DeliveryEffects;
