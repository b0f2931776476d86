import type { Context } from '../../domain/context.ts';
import { systemEvents } from '../../domain/event-names.ts';
import { type Listeners, onAbort } from '../../domain/listeners.ts';
import type { LogEvent, SystemEvent, Webhook } from '../../domain/records.ts';
import { deleteWebhook } from '../../domain/webhooks.ts';
import { assertArgument } from '../arguments.ts';
import type { Tenant } from '../tenants/tenants.ts';
import {
  LISTENER_ORIGIN,
  type ListenerRotation,
  registerListener,
  registrationsOf,
  rotationOf,
  signLike,
} from './listener-registrations.ts';

/** What a listener requests. */
export interface ListenOptions {
  /**
   * Names the listener, so that it can reconnect: 1 to 64 letters, digits, hyphens and underscores.
   * @default a random name
   */
  readonly name?: string;
  /**
   * The events to listen for.
   * @default all of them
   */
  readonly events?: readonly SystemEvent[];
  /** Signs its events. @default the project's signing secret, which signs result callbacks too */
  readonly secret?: string;
  /**
   * Identifier of the organization to listen to.
   * @default the first organization
   */
  readonly organization?: string;
  /** Shown with its registrations. @default 'contentgen listen' */
  readonly description?: string;
}

/** A listener with its registrations. */
export interface ListenerView {
  /** The name of the listener. */
  readonly name: string;
  /** Where its registrations point; pass it as `webhookUrl` to receive result callbacks as well. */
  readonly url: string;
  /** Identifier of its organization. */
  readonly organization: string;
  /** Identifier of its project. */
  readonly project: string;
  /** The events that it receives. */
  readonly events: readonly SystemEvent[];
  /** Ids of its registrations. */
  readonly webhooks: readonly string[];
  /** The secret that verifies its deliveries. */
  readonly secret: string;
}

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

type ReceiverFunction = (request: Request) => Promise<Response>;

interface Waiting {
  readonly delivery: PushedDelivery;
  respond(response: Response): void;
}

interface Listener {
  connection?: ListenerConnection | undefined;
  /** Whose deliveries it gets; undefined until it connects. */
  organization?: string;
  /** Whether it asked for a secret; undefined until it connects. */
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
    set(url: string, receiver: ReceiverFunction): unknown;
    delete(url: string): boolean;
  };
  readonly events: Listeners<LogEvent>;
  /** @default 10 000 */
  readonly graceMs?: number;
}

export function createDeliveryListeners(
  context: Context,
  parts: DeliveryListenerParts,
): DeliveryListeners {
  const registry = new ListenerRegistry(context, parts);
  registry.recover();
  return {
    connect: (options, connection) => registry.connect(options, connection),
    respond(name, id, { status, body, retryAfter }) {
      const waiting = registry.get(name)?.waiting.get(id);
      if (!waiting) return false;
      const headers = retryAfter === undefined ? {} : { 'retry-after': retryAfter };
      const empty = status === 204 || status === 205 || status === 304;
      waiting.respond(new Response(empty ? null : (body ?? ''), { status, headers }));
      return true;
    },
    remove: (name) => registry.remove(name),
    endOf: (organization) => registry.endOf(organization),
    restart() {
      registry.endAll();
      registry.recover();
    },
    close: () => registry.endAll(),
  };
}

/** The listeners by name, both those connected and those expected to reconnect. */
class ListenerRegistry {
  readonly #context: Context;
  readonly #parts: DeliveryListenerParts;
  readonly #listeners = new Map<string, Listener>();
  /** Set only while there are listeners, so that a server without any does not follow events. */
  #stopFollowing: (() => void) | undefined;

  constructor(context: Context, parts: DeliveryListenerParts) {
    this.#context = context;
    this.#parts = parts;
  }

  get(name: string): Listener | undefined {
    return this.#listeners.get(name);
  }

  /** Finds the registrations that an earlier process left, and gives their listeners the usual time to reconnect. */
  recover(): void {
    const webhooks = this.#context.store.table('webhooks');
    for (const name of namesIn(webhooks.oldest({ limit: Number.POSITIVE_INFINITY }))) {
      this.#expireLater(name, this.#add(name));
    }
  }

  connect(options: ListenOptions, connection: ListenerConnection): () => void {
    const { name = crypto.randomUUID().slice(0, 8), events = systemEvents } = options;
    const rule = 'name must be 1 to 64 letters, digits, hyphens or underscores.';
    assertArgument(NAME.test(name), rule);
    const { organization } = this.#parts.tenant;
    const request = { organization, ...options, events, url: urlOf(name) };
    const view = registerListener(this.#context, request);
    const listener = this.#listeners.get(name) ?? this.#add(name);
    clearTimeout(listener.expiry);
    const previous = listener.connection;
    listener.connection = connection;
    listener.organization = view.organization;
    listener.hasOwnSecret = options.secret !== undefined;
    previous?.end('replaced');
    connection.ready({ name, ...view });
    for (const webhook of registrationsOf(this.#context, view.url)) {
      if (webhook.rotated) this.#announce(listener, webhook);
    }
    for (const { delivery } of listener.waiting.values()) connection.push(delivery);
    return () => {
      if (listener.connection !== connection) return;
      listener.connection = undefined;
      this.#expireLater(name, listener);
    };
  }

  /** Tells a listener about a registration with its own secret. */
  #announce({ connection }: Listener, webhook: Webhook): void {
    const rotation = rotationOf(this.#context, webhook);
    const { id, event } = webhook;
    if (rotation) connection?.rotated?.({ ...rotation, webhook: { id, event } });
  }

  #followWebhook(id: string): void {
    const webhook = this.#context.store.table('webhooks').get(id);
    const [name = ''] = webhook ? namesIn([webhook]) : [];
    const listener = this.#listeners.get(name);
    if (webhook && listener) this.#announce(listener, webhook);
  }

  /** Called within the rotation's transaction: registrations that use the previous secret get the project's secrets. */
  #followProject(id: string): void {
    const project = this.#context.store.table('projects').get(id);
    const rotation = project && rotationOf(this.#context, project);
    const previous = project?.secrets[1];
    if (!rotation || !previous) return;
    for (const [name, { hasOwnSecret, organization, connection }] of this.#listeners) {
      if (hasOwnSecret) continue;
      for (const webhook of registrationsOf(this.#context, urlOf(name))) {
        const follows = webhook.project === id && webhook.secrets[0]?.secret === previous.secret;
        if (follows) signLike(this.#context, webhook, project);
      }
      if (organization === project.organization) connection?.rotated?.(rotation);
    }
  }

  remove(name: string): boolean {
    const listener = this.#listeners.get(name);
    if (!listener) return false;
    const context = this.#context;
    context.store.transaction(() => {
      for (const webhook of registrationsOf(context, urlOf(name))) deleteWebhook(context, webhook);
    });
    this.#end(name, listener, 'removed');
    return true;
  }

  endOf(organization: string): void {
    for (const [name, listener] of [...this.#listeners]) {
      if (listener.organization === organization) this.#end(name, listener, 'removed');
    }
  }

  endAll(): void {
    for (const [name, listener] of [...this.#listeners]) this.#end(name, listener, 'restarted');
  }

  /** Adds a listener that is not connected yet; deliveries wait for it. */
  #add(name: string): Listener {
    const listener: Listener = { waiting: new Map() };
    this.#listeners.set(name, listener);
    this.#stopFollowing ??= this.#parts.events.add(({ type, subject = '', project = '' }) => {
      if (type === 'project.secret_rotated') this.#followProject(project);
      if (type === 'webhook.secret_rotated') this.#followWebhook(subject);
    });
    this.#parts.receivers.set(urlOf(name), (request) => receive(listener, request));
    return listener;
  }

  #end(name: string, listener: Listener, reason: 'removed' | 'restarted'): void {
    const { connection } = listener;
    listener.connection = undefined;
    clearTimeout(listener.expiry);
    this.#listeners.delete(name);
    if (this.#listeners.size === 0) {
      this.#stopFollowing?.();
      this.#stopFollowing = undefined;
    }
    this.#parts.receivers.delete(urlOf(name));
    for (const { respond } of listener.waiting.values()) respond(Response.error());
    connection?.end(reason);
  }

  #expireLater(name: string, listener: Listener): void {
    const { graceMs = GRACE_MS } = this.#parts;
    const timer = setTimeout(() => this.remove(name), graceMs);
    // It must not keep a process alive.
    (timer as { unref?: () => void }).unref?.();
    listener.expiry = timer;
  }
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

const urlOf = (name: string): string => `${LISTENER_ORIGIN}/${name}`;

function namesIn(webhooks: readonly Webhook[]): Set<string> {
  const prefix = urlOf('');
  const urls = webhooks.map(({ url }) => url).filter((url) => url.startsWith(prefix));
  return new Set(urls.map((url) => url.slice(prefix.length)));
}
