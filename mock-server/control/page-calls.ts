import type { Context } from '../domain/context.ts';
import type { DeploymentJson } from '../domain/deployment.ts';
import { timestamp } from '../domain/periods.ts';
import { readActivity } from './logs/activity.ts';
import { type ListQuery, type SearchRows, searchRows } from './logs/logs.ts';
import { type Organization, usableKey } from './organizations/organizations.ts';

/** The server and how to call it, as its first organization. */
export interface ServerView extends Pick<Organization, 'organization' | 'project'> {
  readonly now: string;
  readonly clock: 'manual' | 'real';
  readonly baseUrl: string;
  /** A key is absent if the server does not know it, or if it no longer works. */
  readonly adminKey?: string;
  readonly memberKey?: string;
  readonly signingSecret?: string;
  readonly deployment?: DeploymentJson;
}

export type PageCalls = ReturnType<typeof createPageCalls>;

/** Everything but the clock and the base URL comes from the store at each call. */
export interface PageParts {
  readonly home: Organization;
  readonly baseUrl: string;
  readonly mode: 'manual' | 'real';
}

export function createPageCalls(context: Context, parts: PageParts) {
  return {
    server: () => readServer(context, parts),
    activity: () => readActivity(context),
    /** The newest rows of a list, 100 by default, and how many match. */
    list: <Name extends keyof SearchRows>(name: Name, query?: ListQuery) =>
      searchRows(context, name, query),
  };
}

function readServer(context: Context, { home, baseUrl, mode }: PageParts): ServerView {
  const { deployment } = context.settings;
  const adminKey = usableKey(context, home.adminKey);
  const memberKey = usableKey(context, home.memberKey);
  const { organization, project, signingSecret } = home;
  return {
    now: timestamp(context.ports.clock.now()),
    clock: mode,
    baseUrl,
    organization,
    project,
    ...(adminKey && { adminKey }),
    ...(memberKey && { memberKey }),
    ...(signingSecret && { signingSecret }),
    ...(deployment && { deployment: deployment.json }),
  };
}
