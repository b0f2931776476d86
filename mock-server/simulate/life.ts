/** One instance of the application, from its start to its crash. */
export interface Life {
  /** `app`; with replicas, `app 1`, `app 2` and so on. */
  readonly name: string;
  readonly replica: number;
  alive: boolean;
  /** Until then the instance is frozen: neither its calls nor its timers continue. */
  pausedUntil: number;
  /** Milliseconds that its clock is ahead of the service's. */
  readonly skew: number;
  /** Called when it crashes, in order. */
  readonly onEnd: Set<() => void>;
}

/** A call into an instance that crashed before it responded, as the caller sees it. */
export class InstanceCrashedError extends Error {
  /** Always `InstanceCrashedError`. */
  override readonly name = 'InstanceCrashedError';
  /** Always `instance_crashed`. */
  readonly code = 'instance_crashed';

  constructor(what: string) {
    super(`The instance crashed during ${what}: the caller's connection broke.`);
  }
}
