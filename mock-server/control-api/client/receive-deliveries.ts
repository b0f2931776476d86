import { setTimeout as pause } from 'node:timers/promises';
import { createEventParser, type ServerEvent } from '../../../src/server-sent-events.ts';
import type { ListenerResponse, PushedDelivery } from '../../control/listen/delivery-listeners.ts';
import type {
  ListenerRotation,
  ListenerView,
  ListenOptions,
} from '../../control/listen/listener-registrations.ts';
import {
  controlHeaders,
  controlUrl,
  MockControlError,
  notTheControlApi,
  toControlError,
} from './control-call.ts';

export interface ReceiveSettings {
  /** The server's base URL. */
  readonly url: string;
  readonly controlToken: string | undefined;
  readonly options: ListenOptions & { readonly name: string };
  /** Ends the listener and deletes its registrations. */
  readonly signal: AbortSignal;
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

const FIRST_DELAY_MS = 100;
const LONGEST_DELAY_MS = 3000;
/** The server pings every 15 s: after more than twice that, the connection is dead. */
const SILENCE_MS = 35_000;
const STOP_MS = 2000;

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
export async function receiveDeliveries(settings: ReceiveSettings): Promise<void> {
  const { options, signal } = settings;
  const base = controlUrl(settings.url);
  const address = `${base}/listeners/${encodeURIComponent(options.name)}`;
  const access = controlHeaders(settings.controlToken);
  /** What is not acknowledged yet: if a response is lost with the connection, its delivery is pushed again. */
  const responses = new Map<string, Promise<ListenerResponse>>();
  let connected = false;
  let lost = false;
  let delay = FIRST_DELAY_MS;

  /** Resolves when the connection has ended and the listener should reconnect. */
  async function connect(): Promise<void> {
    const connection = new AbortController();
    const ended = AbortSignal.any([signal, connection.signal]);
    const post = (url: string, body: unknown) =>
      fetch(url, {
        method: 'POST',
        headers: { ...access, 'content-type': 'application/json' },
        body: JSON.stringify(body),
        signal: ended,
      });
    let silence: ReturnType<typeof setTimeout> | undefined;
    const onActivity = () => {
      clearTimeout(silence);
      silence = setTimeout(() => connection.abort(), SILENCE_MS);
    };

    async function handle(delivery: PushedDelivery): Promise<void> {
      const { id } = delivery;
      const response = responses.get(id) ?? settings.onDelivery(delivery);
      responses.set(id, response);
      try {
        const reply = await post(`${address}/responses`, { id, ...(await response) });
        await reply.body?.cancel();
        if (reply.status >= 500) throw toControlError(reply, '');
        responses.delete(id);
      } catch {
        // After a reconnect, the server pushes the delivery again.
        connection.abort();
      }
    }

    function receive({ event, data }: ServerEvent): void {
      const value = JSON.parse(data);
      if (event === 'ready') {
        connected = true;
        lost = false;
        delay = FIRST_DELAY_MS;
        settings.onReady(value as ListenerView);
      }
      if (event === 'delivery') void handle(value as PushedDelivery);
      if (event === 'rotated') settings.onRotated(value as ListenerRotation);
      if (event === 'end') {
        const message = ENDINGS[(value as { reason: string }).reason];
        if (message !== undefined) throw new MockControlError(409, 'listener_ended', message);
      }
    }

    try {
      onActivity();
      const response = await post(`${base}/listeners`, options);
      if (!response.ok) throw toControlError(response, await response.text());
      const type = response.headers.get('content-type') ?? '';
      if (!response.body || !type.startsWith('text/event-stream')) throw notTheControlApi(response);
      const decoder = new TextDecoder();
      const parse = createEventParser();
      for await (const bytes of response.body) {
        onActivity();
        for (const message of parse(decoder.decode(bytes, { stream: true }))) receive(message);
      }
    } finally {
      clearTimeout(silence);
      connection.abort();
    }
  }

  while (!signal.aborted) {
    try {
      await connect();
    } catch (error) {
      // A server that is starting or stopping responds with 503.
      const temporary = !(error instanceof MockControlError) || error.status >= 500;
      if (!signal.aborted && !(connected && temporary)) throw error;
    }
    if (signal.aborted) break;
    if (!lost) settings.onLost();
    lost = true;
    await pause(delay, undefined, { signal }).catch(() => {});
    delay = Math.min(2 * delay, LONGEST_DELAY_MS);
  }
  if (!connected) return;
  const stopping = AbortSignal.timeout(STOP_MS);
  await fetch(address, { method: 'DELETE', headers: access, signal: stopping }).catch(() => {});
}
