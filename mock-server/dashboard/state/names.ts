import { signal } from '@preact/signals';
import { control } from './control.ts';
import { dashboardUser, type Tenant, tenants } from './session.ts';

/** Names of API keys by id. */
const keyNames = signal<ReadonlyMap<string, string>>(new Map());

/** Reads the names again; keys of every organization call this server. */
export async function loadNames(): Promise<void> {
  try {
    const { data } = await control.search('apiKeys', { order: 'desc', limit: 1000 });
    keyNames.value = new Map(data.map(({ id, name }) => [id, name]));
  } catch {
    // Ids are shown instead.
  }
}

/** Who made a call or a record: `key “ci”`, `this page`; otherwise the id. */
export function actorName(actor: string): string {
  if (actor === dashboardUser) return 'this page';
  const name = keyNames.value.get(actor);
  return name === undefined ? actor : `key “${name}”`;
}

/** `Organization 2`: organizations have no names, only an order. */
export function organizationName(id: string): string {
  const all = [...new Set(tenants.value.map((tenant) => tenant.organization))];
  const index = all.indexOf(id);
  return index < 0 ? id : `Organization ${index + 1}`;
}

/** `Organization 2 · project 1`; without the project where there is only one. */
export function tenantName({ organization, project }: Tenant): string {
  const name = organizationName(organization);
  const own = tenants.value.filter((tenant) => tenant.organization === organization);
  if (own.length < 2) return name;
  return `${name} · project ${own.findIndex((tenant) => tenant.project === project) + 1}`;
}
