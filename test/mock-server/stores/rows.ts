import type { Store } from '../../../mock-server/domain/ports.ts';
import type { Generation, Organization } from '../../../mock-server/domain/records.ts';

export function organization(id: string, quota = 1): Organization {
  return { id, rngStream: 1, quota, createdAt: 0 };
}

export function generation(id: string, facts: Partial<Generation> = {}): Generation {
  return {
    id,
    organization: 'org_1',
    project: 'prj_1',
    status: 'processing',
    delivery: 'callback',
    model: 'content-1',
    prompt: 'p',
    maxTokens: 1,
    createdAt: 0,
    ...facts,
  };
}

/** A file is opened only if the owners of its rows are in it too. */
export function putOwners(store: Store, ...numbers: readonly number[]): void {
  for (const number of numbers) {
    const secrets = [{ secret: 's', createdAt: 0 }];
    const owner = { id: `org_${number}`, organization: `org_${number}` };
    store.table('organizations').put(organization(owner.id));
    store.table('projects').put({ ...owner, id: `prj_${number}`, secrets, createdAt: 0 });
  }
}
