import { computed, effect, signal } from '@preact/signals';
import { ContentGen } from '../../../src/index.ts';
import { currentTime } from './clock.ts';
import { control, origin } from './control.ts';
import { remember, remembered } from './memory.ts';

export type Role = 'admin' | 'member';

export interface Tenant {
  readonly organization: string;
  readonly project: string;
}

const tokenLifetimeMs = 3_600_000;

/** One row a project; the server's own comes first. */
export const tenants = signal<readonly Tenant[]>([]);
export const role = signal<Role>(remembered('role') === 'member' ? 'member' : 'admin');
const chosen = signal(remembered('project'));

export const tenant = computed<Tenant | undefined>(
  () => tenants.value.find(({ project }) => project === chosen.value) ?? tenants.value[0],
);

/** Counts restarts and resets of the server: what was read before one is stale. */
export const epoch = signal(0);

/** Set once the server was read for the first time. */
export const ready = computed(() => epoch.value > 0);

effect(() => remember('role', role.value));
effect(() => remember('project', chosen.value));

export function chooseProject(project: string): void {
  chosen.value = project;
}

export async function loadTenants(): Promise<void> {
  tenants.value = await control.organizations();
}

let token:
  | { readonly of: string; readonly value: Promise<string>; readonly until: number }
  | undefined;

/** A token of the chosen organization and role, as a user of the service would hold one. */
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

/** Whether a log line concerns the chosen organization; one that names none concerns all. */
export function isOurs(row: { readonly organization?: string }): boolean {
  const organization = tenant.value?.organization;
  return (row.organization ?? organization) === organization;
}

/** Names this page in the request log. */
export const dashboardUser = 'usr_dashboard';

export function forgetToken(): void {
  token = undefined;
}

/**
 * No retries: a fault is shown as it is. A token that a restart or a jump of the clock made stale is
 * replaced once.
 */
export const client = new ContentGen({
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

/** What a list depends on: reading it in a component makes the list anew when it changes. */
export const view = computed(() => `${tenant.value?.project ?? ''}:${role.value}:${epoch.value}`);
