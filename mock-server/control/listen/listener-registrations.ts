import type { Context } from '../../domain/context.ts';
import type { Project, SystemEvent, Webhook } from '../../domain/records.ts';
import {
  createWebhook,
  deleteWebhook,
  enableWebhook,
  rejectInvalidSecret,
} from '../../domain/webhooks.ts';
import { assertArgument, notFound, resultOf } from '../arguments.ts';

/** A reserved name (RFC 6761), so that a delivery to a missing listener never reaches another host. */
export const LISTENER_ORIGIN = 'https://listen.contentgen.test';

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

interface Request {
  readonly organization: string;
  readonly url: string;
  readonly events: readonly SystemEvent[];
  readonly secret?: string;
  readonly description?: string;
}

/** The registrations that point to a listener. */
export function registrationsOf(context: Context, url: string): Webhook[] {
  const all = context.store.table('webhooks').oldest({ limit: Number.POSITIVE_INFINITY });
  return all.filter((webhook) => webhook.url === url);
}

/** Makes a listener's registrations match its request; those for the same events are kept. */
export function registerListener(context: Context, request: Request) {
  const { url, events } = request;
  return context.store.transaction(() => {
    const project = projectOf(context, request.organization);
    const secret = request.secret ?? project.secrets[0]?.secret ?? '';
    resultOf(rejectInvalidSecret(secret));
    const kept = new Map<SystemEvent, Webhook>();
    for (const webhook of registrationsOf(context, url)) {
      const wanted = webhook.project === project.id && events.includes(webhook.event);
      if (wanted) kept.set(webhook.event, enabled(context, webhook));
      else deleteWebhook(context, webhook);
    }
    const webhooks = [...new Set(events)].map((event) => {
      const webhook = kept.get(event) ?? register(context, project, { ...request, event, secret });
      if (webhook.rotated) return webhook.id;
      if (request.secret === undefined) signLike(context, webhook, project);
      else if (webhook.secrets[0]?.secret !== secret) signWith(context, webhook, secret);
      return webhook.id;
    });
    const { organization, id } = project;
    return { url, organization, project: id, events, webhooks, secret };
  });
}

/** What a listener is told about a rotation; undefined before the first one. */
export function rotationOf(
  context: Context,
  { secrets }: Pick<Webhook, 'secrets'>,
): ListenerRotation | undefined {
  const [fresh, previous] = secrets;
  if (!fresh || !previous) return undefined;
  const { expiresAt = 0 } = previous;
  const signsToo = expiresAt > context.ports.clock.now();
  return {
    secret: fresh.secret,
    ...(signsToo && { previousExpiresAt: new Date(expiresAt).toISOString() }),
  };
}

/** Signs with the project's secrets: two of them during the overlap of a rotation. */
export function signLike(context: Context, webhook: Webhook, { secrets }: Project): void {
  context.store.table('webhooks').put({ ...webhook, secrets });
}

function signWith(context: Context, webhook: Webhook, secret: string): void {
  const secrets = [{ secret, createdAt: context.ports.clock.now() }];
  context.store.table('webhooks').put({ ...webhook, secrets });
}

/** A 410 response might have disabled the registration; a listener that connects again wants its deliveries. */
function enabled(context: Context, webhook: Webhook): Webhook {
  return webhook.status === 'enabled' ? webhook : enableWebhook(context, webhook);
}

function register(
  context: Context,
  project: Project,
  registration: Pick<Request, 'url' | 'description'> & { event: SystemEvent; secret: string },
): Webhook {
  const { url, event, secret, description = 'contentgen listen' } = registration;
  const owner = { organization: project.organization, project: project.id };
  return resultOf(createWebhook(context, owner, { event, url, secret, description }));
}

function projectOf(context: Context, organization: string): Project {
  const project = context.store.table('projects').find('organization', organization);
  if (!project) throw notFound('organization', organization);
  assertArgument(project.secrets.length > 0, 'The project has no signing secret.');
  return project;
}
