import { computed, effect, signal } from '@preact/signals';
import { defineDeployment } from '../../../src/deployment/index.ts';
import { ContentGen, type DeploymentJson } from '../../../src/index.ts';
import { currentTime } from './clock.ts';
import { control, origin } from './control.ts';
import { remember, remembered } from './preferences.ts';

export type Role = 'admin' | 'member';

export interface Tenant {
  readonly organization: string;
  readonly project: string;
}

const tokenLifetimeMs = 3_600_000;

/** One row per project; the server's first organization comes first. */
export const tenants = signal<readonly Tenant[]>([]);
export const role = signal<Role>(remembered('role') === 'member' ? 'member' : 'admin');
const chosen = signal(remembered('project'));

export const tenant = computed<Tenant | undefined>(
  () => tenants.value.find(({ project }) => project === chosen.value) ?? tenants.value[0],
);

/** Counts restarts and resets of the server; anything read before the last one is stale. */
export const epoch = signal(0);

/** What the server does differently from the contract. */
export const deployment = signal<DeploymentJson | undefined>(undefined);

/** True once the server was read for the first time. */
export const ready = computed(() => epoch.value > 0);

effect(() => remember('role', role.value));
effect(() => remember('project', chosen.value));

export function chooseProject(project: string): void {
  chosen.value = project;
}

export async function loadTenants(): Promise<void> {
  const { deployment: played } = await control.access();
  deployment.value = played;
  if (played) client = client.withOptions({ deployment: defineDeployment(played) });
  tenants.value = await control.organizations();
}

let token:
  | { readonly of: string; readonly value: Promise<string>; readonly until: number }
  | undefined;

/** An access token for the chosen organization and role, like that of a user of the service. */
async function accessToken(): Promise<string> {
  if (tenants.peek().length === 0) await loadTenants();
  const { organization, project } = tenant.peek() ?? {};
  const of = [organization, project, role.peek()].join();
  if (token?.of !== of || token.until < currentTime()) {
    const value = control.issueToken({
      role: role.peek(),
      sub: dashboardUser,
      expiresIn: tokenLifetimeMs,
      ...(organization && { organization }),
      ...(project && { project }),
    });
    token = { of, value, until: currentTime() + tokenLifetimeMs - 120_000 };
    value.catch(forgetToken);
  }
  return token.value;
}

/** The user id of this page in the request log. */
export const dashboardUser = 'usr_dashboard';

export function forgetToken(): void {
  token = undefined;
}

/**
 * Does not retry, so that faults are visible. A token that a restart or a clock change made invalid is replaced
 * once.
 */
export let client: ContentGen = new ContentGen({
  baseUrl: origin,
  accessToken,
  maxRetries: 0,
  logLevel: 'off',
  middleware: [
    async (request, next) => {
      const spare = request.clone();
      const response = await next(request);
      if (response.status !== 401) return response;
      forgetToken();
      const headers = new Headers(spare.headers);
      headers.set('authorization', `Bearer ${await accessToken()}`);
      return next(new Request(spare, { headers }));
    },
  ],
});

/** Changes when every list has to be reloaded. */
export const view = computed(() => `${tenant.value?.project ?? ''}:${role.value}:${epoch.value}`);
