import type { Context } from '../domain/context.ts';
import type { Project, SystemEvent, Webhook } from '../domain/records.ts';
import { isRejection } from '../domain/rejection.ts';
import { createWebhook, deleteWebhook, enableWebhook } from '../domain/webhooks.ts';
import { assertArgument, ControlError, notFound } from './arguments.ts';

/** A reserved name (RFC 6761), so that a delivery to a missing listener never reaches anybody else. */
export const LISTENER_ORIGIN = 'https://listen.contentgen.test';

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

/** Makes a listener's registrations match its request; those that already do are kept. */
export function registerListener(context: Context, request: Request) {
  const { url, events } = request;
  return context.store.transaction(() => {
    const project = projectOf(context, request.organization);
    const secret = request.secret ?? project.secrets[0]?.secret ?? '';
    const kept = new Map<SystemEvent, Webhook>();
    for (const webhook of registrationsOf(context, url)) {
      const wanted =
        webhook.project === project.id &&
        webhook.secrets[0]?.secret === secret &&
        events.includes(webhook.event);
      if (wanted) kept.set(webhook.event, enabled(context, webhook));
      else deleteWebhook(context, webhook);
    }
    const webhooks = [...new Set(events)].map(
      (event) => (kept.get(event) ?? register(context, project, { ...request, event, secret })).id,
    );
    const { organization, id } = project;
    return { url, organization, project: id, events, webhooks, secret };
  });
}

/** A response of 410 had disabled it; connecting again means that deliveries are wanted again. */
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
  const webhook = createWebhook(context, owner, { event, url, secret, description });
  if (!isRejection(webhook)) return webhook;
  throw new ControlError('validation_failed', webhook.errors?.[0]?.message ?? webhook.detail);
}

function projectOf(context: Context, organization: string): Project {
  const project = context.store.table('projects').find('organization', organization);
  if (!project) throw notFound('organization', organization);
  assertArgument(project.secrets.length > 0, 'The project has no signing secret.');
  return project;
}
