import type { Context } from '../../domain/context.ts';
import { systemEvents } from '../../domain/event-names.ts';
import { type Listeners, onAbort } from '../../domain/listeners.ts';
import type { LogEvent } from '../../domain/records.ts';
import { deleteWebhook } from '../../domain/webhooks.ts';
import { assertArgument } from '../arguments.ts';
import type { Tenant } from '../tenants/tenants.ts';
import {
  type ListenerRotation,
  type ListenerView,
  type ListenOptions,
  listenerNames,
  listenerUrl,
  registerListener,
  registrationsOf,
  rotationOf,
} from './listener-registrations.ts';

/** A delivery on its way to a listener. */
export interface PushedDelivery {
  /** Stays the same when the delivery is pushed again after a reconnect. */
  readonly id: string;
  /** The URL that the delivery is addressed to. */
  readonly url: string;
  /** The headers of the delivery, signed. */
  readonly headers: Readonly<Record<string, string>>;
  /** The exact body, as text. */
  readonly body: string;
}

/** What the listener's receiver responded. */
export interface ListenerResponse {
  /** The HTTP status. */
  readonly status: number;
  /** The body, as text. */
  readonly body?: string;
  /** The `Retry-After` header. */
  readonly retryAfter?: string;
}

/** The other end of a connection. */
export interface ListenerConnection {
  /** Called before the first delivery. */
  ready(view: ListenerView): void;
  /** Sends a delivery to the listener. */
  push(delivery: PushedDelivery): void;
  /**
   * A secret was rotated: that of one of its registrations, also while it was away, or the project's signing secret,
   * unless the listener has its own secret.
   */
  rotated?(rotation: ListenerRotation): void;
  /**
   * The server ended the connection: another listener took over the name, the listener was removed, or the server's
   * state was replaced. Reconnect only after `restarted`.
   */
  end(reason: 'replaced' | 'removed' | 'restarted'): void;
}

/** Receivers that are connected to the server, so that it needs no address to reach them. */
export interface DeliveryListeners {
  /**
   * Connects a listener and creates its registrations, or takes over those that it left when its connection broke;
   * deliveries still waiting for a response are pushed again. Returns a function to call when the connection has ended:
   * unless the listener reconnects within 10 seconds, its registrations are deleted.
   *
   * @throws ControlError `validation_failed`, or `not_found` for an unknown organization
   */
  connect(options: ListenOptions, connection: ListenerConnection): () => void;
  /** Responds to a pushed delivery. False if it is not waiting for a response. */
  respond(name: string, id: string, response: ListenerResponse): boolean;
  /** Deletes a listener with its registrations. False if no listener has this name. */
  remove(name: string): boolean;
  /** Ends the connections of an organization that was deleted. */
  endOf(organization: string): void;
  /** Ends every connection, because the state was replaced. Listeners reconnect and register again. */
  restart(): void;
  /** Ends every connection and stops all timers. */
  close(): void;
}

/** A delivery whose response is still missing. */
interface Waiting {
  readonly delivery: PushedDelivery;
  respond(response: Response): void;
}

interface Listener {
  connection?: ListenerConnection | undefined;
  /** Set once it has connected. */
  view?: ListenerView;
  /** Whether it passed a secret. */
  hasOwnSecret?: boolean;
  expiry?: ReturnType<typeof setTimeout> | undefined;
  readonly waiting: Map<string, Waiting>;
}

/** Registrations outlive a broken connection for this long, so that a listener can reconnect. Wall time. */
const GRACE_MS = 10_000;
const NAME = /^[\w-]{1,64}$/;

export interface DeliveryListenerParts {
  /** The server's own, whose deliveries a listener gets unless it names another organization. */
  readonly tenant: Pick<Tenant, 'organization'>;
  /** Where deliveries to a URL go, instead of the network. */
  readonly receivers: {
    set(url: string, receiver: (request: Request) => Promise<Response>): unknown;
    delete(url: string): boolean;
  };
  readonly events: Listeners<LogEvent>;
}

export function createDeliveryListeners(
  context: Context,
  { tenant, receivers, events }: DeliveryListenerParts,
): DeliveryListeners {
  /** By name: those that are connected, and those that can still reconnect. */
  const listeners = new Map<string, Listener>();

  /** Adds a listener that is not connected yet; deliveries wait for it. */
  function add(name: string): Listener {
    const listener: Listener = { waiting: new Map() };
    listeners.set(name, listener);
    receivers.set(listenerUrl(name), (request) => receive(listener, request));
    return listener;
  }

  function expireLater(name: string, listener: Listener): void {
    listener.expiry = setTimeout(() => remove(name), GRACE_MS);
    // It must not keep a process alive.
    (listener.expiry as { unref?: () => void }).unref?.();
  }

  /** Finds the registrations that an earlier process left, and lets their listeners reconnect. */
  function recover(): void {
    for (const name of listenerNames(context)) expireLater(name, add(name));
  }

  function end(name: string, listener: Listener, reason: 'removed' | 'restarted'): void {
    const { connection, expiry, waiting } = listener;
    listener.connection = undefined;
    clearTimeout(expiry);
    listeners.delete(name);
    receivers.delete(listenerUrl(name));
    for (const { respond } of waiting.values()) respond(Response.error());
    connection?.end(reason);
  }

  function remove(name: string): boolean {
    const listener = listeners.get(name);
    if (!listener) return false;
    context.store.transaction(() => {
      const registrations = registrationsOf(context, listenerUrl(name));
      for (const webhook of registrations) deleteWebhook(context, webhook);
    });
    end(name, listener, 'removed');
    return true;
  }

  function endAll(): void {
    for (const [name, listener] of [...listeners]) end(name, listener, 'restarted');
  }

  events.add(({ type, subject = '', project: projectId = '' }) => {
    if (type !== 'project.secret_rotated' && type !== 'webhook.secret_rotated') return;
    const { store } = context;
    const isProject = type === 'project.secret_rotated';
    const row = isProject
      ? store.table('projects').get(projectId)
      : store.table('webhooks').get(subject);
    if (!row) return;
    for (const { connection, view, hasOwnSecret } of listeners.values()) {
      const isSigner =
        'url' in row ? view?.url === row.url : view?.project === row.id && !hasOwnSecret;
      if (isSigner) connection?.rotated?.(rotationOf(context, row));
    }
  });
  recover();

  return {
    connect(options, connection) {
      const { name = crypto.randomUUID().slice(0, 8), events: wanted = systemEvents } = options;
      const rule = 'name must be 1 to 64 letters, digits, hyphens or underscores.';
      assertArgument(NAME.test(name), rule);
      const { organization } = tenant;
      const request = { organization, ...options, name, events: wanted };
      const view = registerListener(context, request);
      const listener = listeners.get(name) ?? add(name);
      clearTimeout(listener.expiry);
      const previous = listener.connection;
      listener.connection = connection;
      listener.view = view;
      listener.hasOwnSecret = options.secret !== undefined;
      previous?.end('replaced');
      connection.ready(view);
      for (const webhook of registrationsOf(context, view.url)) {
        if (webhook.rotated) connection.rotated?.(rotationOf(context, webhook));
      }
      for (const { delivery } of listener.waiting.values()) connection.push(delivery);
      return () => {
        if (listener.connection !== connection) return;
        listener.connection = undefined;
        expireLater(name, listener);
      };
    },
    respond(name, id, { status, body, retryAfter }) {
      const waiting = listeners.get(name)?.waiting.get(id);
      if (!waiting) return false;
      const headers = retryAfter === undefined ? {} : { 'retry-after': retryAfter };
      const empty = status === 204 || status === 205 || status === 304;
      waiting.respond(new Response(empty ? null : (body ?? ''), { status, headers }));
      return true;
    },
    remove,
    endOf(organization) {
      for (const [name, listener] of [...listeners]) {
        if (listener.view?.organization === organization) end(name, listener, 'removed');
      }
    },
    restart() {
      endAll();
      recover();
    },
    close: endAll,
  };
}

/** Pushes a delivery and waits for the response. Without a connection, it is pushed once the listener reconnects. */
async function receive(listener: Listener, request: Request): Promise<Response> {
  const { url, headers, signal } = request;
  const id = crypto.randomUUID();
  const delivery = { id, url, headers: Object.fromEntries(headers), body: await request.text() };
  return new Promise((resolve) => {
    let stopWatching = () => {};
    const respond = (response: Response) => {
      stopWatching();
      listener.waiting.delete(id);
      resolve(response);
    };
    listener.waiting.set(id, { delivery, respond });
    listener.connection?.push(delivery);
    stopWatching = onAbort(signal, () => respond(Response.error()));
  });
}
