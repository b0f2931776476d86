import { bodies, schemas } from '../../generated/names.ts';
import type { OperationId } from '../../types.ts';
import { isOnlyDerived, movedPaths, routeOf } from './candidates.ts';
import type { Generation } from './generation.ts';
import { type Ask, isMissing, isOk, isRefused, isSilent, type Probe, type Reply } from './probe.ts';
import { type Reading, read, readGeneration } from './read.ts';

const lists = ['listGenerations', 'listApiKeys', 'listWebhooks', 'listCallbackDeliveries'] as const;

/** Looks which operations there are, each by asking for it; resolves to the signing secret, if it can be read. */
export async function findOperations(probe: Probe, generation: Generation): Promise<unknown> {
  for (const operation of lists) {
    const { reply, schema, reading } = await use(probe, operation);
    const rows = reading.get('data')?.value;
    const row = Array.isArray(rows) ? rows[0] : undefined;
    const kind = schemas[schema]?.fields['data']?.slice(2) ?? '';
    if (row) read(probe, kind, { body: row, shown: `${reply?.shown}, in its first row` });
  }
  await use(probe, 'getUsage');
  await findItem(probe, generation);
  return (await use(probe, 'getSigningSecret')).reading.get('secret')?.value;
}

const onlyDerived =
  '; the path is derived from that of generateContent: if it is another one, name it under paths';

/** Calls an operation where it might be. `undefined` if no path that was tried has it. */
export async function call(
  probe: Probe,
  operation: OperationId,
  how: Partial<Ask> = {},
): Promise<Reply | undefined> {
  const [method, ours] = routeOf(operation);
  const known = probe.facts.value('paths', operation) as string | undefined;
  const likely = movedPaths(operation, probe.generatePath);
  const paths = new Set(known === undefined ? likely : [known, ...likely]);
  let first: Reply | undefined;
  for (const path of paths) {
    const reply = await probe.send({ ...how, method, path });
    first ??= reply;
    if (isMissing(reply)) continue;
    // A gateway can refuse before it looks for the path.
    if (isSilent(reply) || isRefused(reply)) return reply;
    probe.facts.note(['absent', operation], false, false, reply.shown);
    probe.facts.note(['paths', operation], path, ours, reply.shown);
    return reply;
  }
  if (!first) return undefined;
  if (known === undefined && isOnlyDerived(operation, probe.generatePath))
    probe.facts.guess(['absent', operation], true, first.shown + onlyDerived);
  else probe.facts.note(['absent', operation], true, false, first.shown);
  return undefined;
}

export async function use(probe: Probe, operation: OperationId, how?: Partial<Ask>) {
  const reply = await call(probe, operation, how);
  const [schema = ''] = bodies[operation].responses;
  const reading: Reading = reply && isOk(reply) ? read(probe, schema, reply) : new Map();
  return { reply, schema, reading };
}

async function findItem(probe: Probe, { requestId: id }: Generation): Promise<void> {
  if (id === undefined) return;
  const found = await call(probe, 'getGeneration', { id });
  if (found && isOk(found)) readGeneration(probe, 'Generation', found);
  await call(probe, 'cancelGeneration', { id });
}
