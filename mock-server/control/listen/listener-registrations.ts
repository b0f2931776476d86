import type { Context } from '../../domain/context.ts';
import type { Project, SystemEvent, Webhook } from '../../domain/records.ts';
import { enableWebhook } from '../../domain/registration-health.ts';
import { rejectInvalidSecret } from '../../domain/signing-secrets.ts';
import { createWebhook, deleteWebhook } from '../../domain/webhooks.ts';
import { assertArgument, notFound, resultOf } from '../arguments.ts';

/** A reserved name (RFC 6761), so that a delivery to a missing listener never reaches another host. */
const ORIGIN = 'https://listen.contentgen.test/';

/** Where the registrations of a listener point. */
export const listenerUrl = (name: string): string => ORIGIN + name;

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

/** A rotation of a secret that verifies a listener's deliveries. */
export interface ListenerRotation {
  /** The new secret. */
  readonly secret: string;
  /** RFC 3339. Until then the previous secret signs too; absent if it stopped at once. */
  readonly previousExpiresAt?: string;
  /** The registration whose own secret was rotated; absent for the project's signing secret. */
  readonly webhook?: {
    /** Identifier of the registration. */
    readonly id: string;
    /** The event that it receives. */
    readonly event: SystemEvent;
  };
}

interface Request extends ListenOptions {
  readonly name: string;
  readonly organization: string;
  readonly events: readonly SystemEvent[];
}

const allWebhooks = (context: Context): Webhook[] =>
  context.store.table('webhooks').oldest({ limit: Number.POSITIVE_INFINITY });

/** The registrations that point to a listener. */
export const registrationsOf = (context: Context, url: string): Webhook[] =>
  allWebhooks(context).filter((webhook) => webhook.url === url);

/** The names of the listeners that have registrations. */
export function listenerNames(context: Context): Set<string> {
  const urls = allWebhooks(context).map(({ url }) => url);
  return new Set(
    urls.filter((url) => url.startsWith(ORIGIN)).map((url) => url.slice(ORIGIN.length)),
  );
}

/** Makes a listener's registrations match its request; those for the same events are kept. */
export function registerListener(context: Context, request: Request): ListenerView {
  const { name, organization, events, description = 'contentgen listen' } = request;
  const url = listenerUrl(name);
  const webhooks = context.store.table('webhooks');
  return context.store.transaction(() => {
    const project = projectOf(context, organization);
    resultOf(rejectInvalidSecret(request.secret, context.settings.secretEncoding));
    const secret = request.secret ?? project.secrets[0]?.secret ?? '';
    const owner = { organization, project: project.id };
    const kept = new Map<SystemEvent, Webhook>();
    for (const webhook of registrationsOf(context, url)) {
      const wanted = webhook.project === project.id && events.includes(webhook.event);
      if (wanted) kept.set(webhook.event, webhook);
      else deleteWebhook(context, webhook);
    }
    const ids = [...new Set(events)].map((event) => {
      const webhook =
        kept.get(event) ??
        resultOf(createWebhook(context, owner, { event, url, description, secret }));
      // A 410 response might have disabled it.
      const enabled = webhook.status === 'enabled' ? webhook : enableWebhook(context, webhook);
      if (!enabled.rotated) webhooks.put({ ...enabled, secrets: secretsFor(context, request) });
      return webhook.id;
    });
    return { name, url, ...owner, events, webhooks: ids, secret };
  });
}

/** Without a secret of its own, a registration is signed as the project signs. */
function secretsFor(context: Context, { secret }: Request): Webhook['secrets'] {
  return secret === undefined ? [] : [{ secret, createdAt: context.ports.clock.now() }];
}

/** The last rotation of a project, or of a registration that has its own secret. */
export function rotationOf(context: Context, row: Project | Webhook): ListenerRotation {
  const [fresh, previous] = row.secrets;
  const { expiresAt = 0 } = previous ?? {};
  const signsToo = expiresAt > context.ports.clock.now();
  return {
    secret: fresh?.secret ?? '',
    ...(signsToo && { previousExpiresAt: new Date(expiresAt).toISOString() }),
    ...('event' in row && { webhook: { id: row.id, event: row.event } }),
  };
}

function projectOf(context: Context, organization: string): Project {
  const project = context.store.table('projects').find('organization', organization);
  if (!project) throw notFound('organization', organization);
  assertArgument(project.secrets.length > 0, 'The project has no signing secret.');
  return project;
}
