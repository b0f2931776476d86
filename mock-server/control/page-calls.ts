import type { Context } from '../domain/context.ts';
import type { DeploymentJson } from '../domain/deployment.ts';
import { timestamp } from '../domain/periods.ts';
import { describeWork } from './clock/describe-work.ts';
import { type ActivityQuery, type ActivityView, readActivity } from './logs/activity.ts';
import { type Found, type ListQuery, type SearchRows, searchRows } from './logs/logs.ts';
import {
  listOrganizations,
  type Organization,
  type OrganizationView,
  usableKey,
} from './organizations/organizations.ts';
import { redeliverMatching } from './redeliver.ts';

/** The server and how to call it. */
export interface ServerView {
  /** The clock's time, RFC 3339. */
  readonly now: string;
  /** `manual` stands still until it is advanced. */
  readonly clock: 'manual' | 'real';
  /** What `settle` would wait for now: the deliveries and generations in progress. */
  readonly waitingFor: readonly string[];
  /** Where clients reach the service. */
  readonly baseUrl: string;
  /** The first organization. */
  readonly organization: string;
  /** Its first project. */
  readonly project: string;
  /** Absent if the server does not know it, or if it no longer works. */
  readonly adminKey?: string;
  /** Absent if the server does not know it, or if it no longer works. */
  readonly memberKey?: string;
  /** Signs the result callbacks of the project. */
  readonly signingSecret?: string;
  /** What the service does differently; absent if nothing. */
  readonly deployment?: DeploymentJson;
}

type Lists = {
  readonly [Name in keyof SearchRows]: (query?: ListQuery) => Found<SearchRows[Name]>;
};

/** The calls that only the dashboard needs. */
export interface PageCalls {
  /** The server and how to call it. */
  server(): ServerView;
  /** Counts requests, attempts and deliveries, in total and per minute. */
  activity(query?: ActivityQuery): ActivityView;
  /** Lists the organizations with their projects. */
  organizations(): OrganizationView[];
  /**
   * Sends all matching deliveries that failed again. If the query's status is `pending` or `retrying`, it makes their
   * next attempts now instead. Returns how many were queued.
   */
  redeliver(query?: Pick<ListQuery, 'organization' | 'status' | 'text'>): number;
  /** The newest rows of each list, 100 by default, and how many match. */
  readonly lists: Lists;
}

/** Everything but the clock and the base URL comes from the store at each call. */
export interface PageParts {
  readonly home: Organization;
  readonly baseUrl: string;
  readonly mode: 'manual' | 'real';
}

const PAGE_SIZE = 100;

export function createPageCalls(context: Context, parts: PageParts): PageCalls {
  const list =
    <Name extends keyof SearchRows>(name: Name) =>
    ({ limit = PAGE_SIZE, ...query }: ListQuery = {}) =>
      searchRows(context, name, { ...query, limit });
  return {
    server: () => readServer(context, parts),
    activity: (query) => readActivity(context, query),
    organizations: () => listOrganizations(context),
    redeliver: (query) => redeliverMatching(context, query),
    lists: {
      requests: list('requests'),
      deliveries: list('deliveries'),
      events: list('events'),
      generations: list('generations'),
      webhooks: list('webhooks'),
      apiKeys: list('apiKeys'),
      invoices: list('invoices'),
    },
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
    waitingFor: context.scheduler.working().map((work) => describeWork(context, work)),
    baseUrl,
    organization,
    project,
    ...(adminKey && { adminKey }),
    ...(memberKey && { memberKey }),
    ...(signingSecret && { signingSecret }),
    ...(deployment && { deployment: deployment.json }),
  };
}
