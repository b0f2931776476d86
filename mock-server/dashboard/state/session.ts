import { computed, signal } from '@preact/signals';
import type { ContentGen } from '../../../src/index.ts';
import { setTime } from './clock.ts';
import { control } from './control.ts';

type Server = Awaited<ReturnType<typeof control.page.server>>;
type Project = Awaited<ReturnType<typeof control.page.organizations>>[number];

/** One row per project; the server's first organization comes first. */
export const projects = signal<readonly Project[]>([]);

const server = signal<Server | undefined>(undefined);

/** The organization whose rows are shown; all of them if undefined. */
export const organization = signal<string | undefined>(undefined);

/** The chosen organization as a condition of a query. */
export const ownOrganization = (): { readonly organization?: string } =>
  organization.value === undefined ? {} : { organization: organization.value };

/** The project for which this page calls the API. */
const chosen = computed<Project | undefined>(
  () => projects.value.find((row) => row.organization === organization.value) ?? projects.value[0],
);

export async function loadServer(): Promise<Server> {
  const read = await control.page.server();
  server.value = read;
  setTime(read.now, read.clock);
  return read;
}

export async function loadProjects(): Promise<void> {
  projects.value = await control.page.organizations();
}

/** Calls the API for the chosen organization, like a user of the service. The client is loaded at the first call. */
export async function api<T>(use: (client: ContentGen) => PromiseLike<T>): Promise<T> {
  const { createClient } = await import('./client.ts');
  if (!chosen.peek()) await loadProjects();
  const { organization: owner = '', project = '' } = chosen.peek() ?? {};
  return use(createClient({ organization: owner, project }, server.peek()?.deployment));
}
