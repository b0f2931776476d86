import { longestTimerMs } from '../../option-rules.ts';
import { clearTimer, now, onAbort, setTimer } from '../../platform/driver.ts';

/** A page of a list. */
export interface ReconcilePage<Item> {
  /** The items, newest first. */
  readonly data: readonly Item[];
  /** Where the next page begins; `null` on the last one. */
  readonly nextCursor: string | null;
}

/** The part of a generation that matters here. */
export interface ReconcileGeneration {
  /** The id of the generation. */
  readonly requestId: string;
  /** `completed` and `failed` have a callback. */
  readonly status: string;
  /** Where its callback goes. */
  readonly webhookUrl?: string | undefined;
  /** When it was accepted, RFC 3339. */
  readonly createdAt: string;
}

/** The part of a delivery that matters here. */
export interface ReconcileDelivery {
  /** The id of the delivery. */
  readonly id: string;
  /** The `webhook-id`. */
  readonly messageId: string;
  /** The generation of a result callback. */
  readonly requestId?: string | undefined;
  /** The type of its event. */
  readonly event: string;
  /** `delivered`, `pending`, `failed` or `canceled`. */
  readonly status: string;
  /** When the event happened, RFC 3339. */
  readonly createdAt: string;
  /** The attempts so far. */
  readonly attempts: readonly unknown[];
}

type Options = { readonly signal?: AbortSignal };
interface PageQuery {
  /** Where the page begins. */
  readonly cursor?: string;
  /** How many items it has at most. */
  readonly limit: number;
}
interface Since {
  /** RFC 3339. */
  readonly since: string;
}
interface OfGeneration {
  /** Only those of this generation. */
  readonly requestId: string;
}
type List<Query, Item> = (
  query: Query & PageQuery,
  options: Options,
) => PromiseLike<ReconcilePage<Item>>;

/** The part of a `ContentGen` client with the role `admin` that `reconcile` uses. */
export interface ReconcileClient {
  /** Lists and reads generations. */
  readonly content: {
    /** Lists generations. */
    list: List<Since, ReconcileGeneration>;
    /** Reads a generation. */
    get(requestId: string, options: Options): PromiseLike<ReconcileGeneration>;
  };
  /** Lists registrations and deliveries, and asks for deliveries. */
  readonly webhooks: {
    /** Lists registrations. */
    list: List<
      object,
      {
        /** The id of the registration. */
        readonly id: string;
        /** `enabled` or `disabled`. */
        readonly status: string;
      }
    >;
    /** Lists the deliveries of a registration. */
    listDeliveries(
      id: string,
      query: Since & PageQuery,
      options: Options,
    ): PromiseLike<ReconcilePage<ReconcileDelivery>>;
    /** Lists the deliveries of result callbacks. */
    listCallbackDeliveries: List<Since | OfGeneration, ReconcileDelivery>;
    /** Resends a delivery. */
    redeliver(deliveryId: string, options: Options): PromiseLike<unknown>;
  };
}

/** The largest page that the service returns. */
const pageSize = 100;

/** Yields every item of a list. After a rate limit, the page is requested again. */
export async function* everyItem<Item>(
  fetchPage: (page: { cursor?: string; limit: number }) => PromiseLike<ReconcilePage<Item>>,
  signal: AbortSignal | undefined,
): AsyncGenerator<Item, void, undefined> {
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page = { limit: pageSize, ...(cursor !== undefined && { cursor }) };
    const { data, nextCursor } = await patiently(() => fetchPage(page), signal);
    yield* data;
    cursor = nextCursor;
  }
}

/** Repeats a call until it is no longer rate-limited; the client itself waits for at most a minute. */
export async function patiently<T>(
  call: () => PromiseLike<T>,
  signal: AbortSignal | undefined,
): Promise<T> {
  for (;;) {
    signal?.throwIfAborted();
    try {
      return await call();
    } catch (error) {
      const { code, retryAt } = Object(error) as { code?: unknown; retryAt?: unknown };
      if (code !== 'rate_limited' || !(retryAt instanceof Date)) throw error;
      await sleepUntil(retryAt.getTime(), signal);
    }
  }
}

export function sleepUntil(time: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const wake = () => {
      stopListening();
      resolve();
    };
    const timer = setTimer(wake, Math.max(0, Math.min(time - now(), longestTimerMs)));
    const stopListening = onAbort(signal, () => {
      clearTimer(timer);
      reject(signal?.reason);
    });
  });
}
