import type {
  ListenerResponse,
  ListenerView,
  ListenOptions,
  PushedDelivery,
} from '../../control/listen/delivery-listeners.ts';
import type { ListenerRotation } from '../../control/listen/listener-registrations.ts';
import { onAbort } from '../../domain/listeners.ts';
import { controlHeaders } from './control-address.ts';
import { MockControlError, toControlError } from './control-error.ts';
import { readMessages } from './read-messages.ts';

export interface ListenCallbacks {
  /** Called after each connection, including reconnections. */
  readonly onReady: (view: ListenerView) => void;
  /**
   * The project's signing secret was rotated, unless the options name a secret, or that of one registration: then it
   * is called again after each reconnect.
   */
  readonly onRotated: (rotation: ListenerRotation) => void;
  /** The connection broke. Called once, however long it takes to reconnect. */
  readonly onLost: () => void;
  /** Handles a delivery; never rejects. */
  readonly onDelivery: (delivery: PushedDelivery) => Promise<ListenerResponse>;
}

export interface ListenSettings extends ListenCallbacks {
  /** The control API's URL, with `/_control`. */
  readonly base: string;
  readonly options: ListenOptions & { readonly name: string };
  readonly fetch: typeof fetch;
  readonly controlToken: string | undefined;
  /** Ends the listener. */
  readonly signal: AbortSignal;
  /** Waits before reconnecting. */
  readonly pause: (ms: number, signal: AbortSignal) => Promise<void>;
}

const FIRST_DELAY_MS = 100;
const LONGEST_DELAY_MS = 3000;
/** The server pings every 15 s: after more than twice that, the connection is dead. */
const SILENCE_MS = 35_000;
const REMEMBERED = 1000;
const RESPOND_ATTEMPTS = 8;

const ENDINGS: Readonly<Record<string, string>> = {
  replaced: 'Another listener with this name has connected. Choose another name with --name.',
  removed: 'The listener was removed on the server.',
};

/**
 * Receives deliveries over a connection to the server, and reconnects whenever it breaks. Resolves once the signal has
 * aborted.
 *
 * @throws MockControlError when the first connection fails, or when the server rejects the listener or ends it for good
 */
export async function listenForDeliveries(settings: ListenSettings): Promise<void> {
  const { signal, onLost, pause } = settings;
  const handle = createDeliveryHandler(settings);
  let connected = false;
  let lost = false;
  let delay = FIRST_DELAY_MS;
  const onReady = (view: ListenerView) => {
    connected = true;
    lost = false;
    delay = FIRST_DELAY_MS;
    settings.onReady(view);
  };
  while (!signal.aborted) {
    try {
      await connectOnce({ ...settings, onReady }, handle);
    } catch (error) {
      if (signal.aborted) return;
      if (!connected || !isTemporary(error)) throw error;
    }
    if (signal.aborted) return;
    if (!lost) onLost();
    lost = true;
    await pause(delay, signal).catch(() => {});
    delay = Math.min(2 * delay, LONGEST_DELAY_MS);
  }
}

/** Resolves when the connection has ended and the listener should reconnect. */
async function connectOnce(
  { base, options, fetch: send, controlToken, signal, onReady, onRotated }: ListenSettings,
  handle: (delivery: PushedDelivery) => void,
): Promise<void> {
  const connection = new AbortController();
  const stopListening = onAbort(signal, () => connection.abort(signal.reason));
  let timer: ReturnType<typeof setTimeout> | undefined;
  const onActivity = () => {
    clearTimeout(timer);
    timer = setTimeout(() => connection.abort(), SILENCE_MS);
  };
  onActivity();
  try {
    const response = await postJson(send, `${base}/listeners`, options, controlToken, {
      signal: connection.signal,
    });
    if (!response.ok || !response.body) throw toControlError(response, await response.text());
    for await (const { event, data } of readMessages(response.body, onActivity)) {
      if (event === 'ready') onReady(JSON.parse(data) as ListenerView);
      if (event === 'delivery') handle(JSON.parse(data) as PushedDelivery);
      if (event === 'rotated') onRotated(JSON.parse(data) as ListenerRotation);
      if (event === 'end') assertReconnectable((JSON.parse(data) as { reason: string }).reason);
    }
  } finally {
    clearTimeout(timer);
    stopListening();
  }
}

function assertReconnectable(reason: string): void {
  const message = ENDINGS[reason];
  if (message !== undefined) throw new MockControlError(409, 'listener_ended', message);
}

/**
 * Handles each delivery once. If it is pushed again because its response was lost with the connection, the same
 * response is sent again.
 */
function createDeliveryHandler(settings: ListenSettings): (delivery: PushedDelivery) => void {
  const responses = new Map<string, Promise<ListenerResponse>>();
  return (delivery) => {
    const { id } = delivery;
    const response = responses.get(id) ?? settings.onDelivery(delivery);
    responses.set(id, response);
    if (responses.size > REMEMBERED) responses.delete(responses.keys().next().value ?? '');
    void response.then((value) => respond(settings, id, value));
  };
}

/**
 * Retries while the server is unreachable. If the response is lost after all, the server pushes the delivery again.
 */
async function respond(
  { base, options, fetch: send, controlToken, signal, pause }: ListenSettings,
  id: string,
  response: ListenerResponse,
): Promise<void> {
  const url = `${base}/listeners/${encodeURIComponent(options.name)}/responses`;
  for (let attempt = 1; attempt <= RESPOND_ATTEMPTS; attempt += 1) {
    try {
      const reply = await postJson(send, url, { id, ...response }, controlToken);
      await reply.body?.cancel();
      return;
    } catch {
      await pause(FIRST_DELAY_MS * attempt, signal).catch(() => {});
    }
  }
}

/** Deletes the listener's registrations without waiting for the server to notice that it is gone. */
export async function stopListener(
  { base, options, fetch: send, controlToken }: Omit<ListenSettings, keyof ListenCallbacks>,
  signal: AbortSignal,
): Promise<void> {
  const url = `${base}/listeners/${encodeURIComponent(options.name)}`;
  const headers = controlHeaders(controlToken);
  const response = await send(url, { method: 'DELETE', headers, signal });
  await response.body?.cancel();
}

function postJson(
  send: typeof fetch,
  url: string,
  body: unknown,
  controlToken: string | undefined,
  init: RequestInit = {},
) {
  const headers = { ...controlHeaders(controlToken), 'content-type': 'application/json' };
  return send(url, { ...init, method: 'POST', headers, body: JSON.stringify(body) });
}

/** Whether an error comes from a broken connection, or from a server that is starting or stopping. */
function isTemporary(error: unknown): boolean {
  return !(error instanceof MockControlError) || error.status >= 500;
}
