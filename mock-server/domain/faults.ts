import type { Context } from './context.ts';
import { newSerialId } from './ids.ts';
import type { Fault } from './records.ts';

export type FaultInput = Omit<Fault, 'id'>;

/** Arms a fault. If several match, the oldest applies. */
export function addFault(context: Context, input: FaultInput): Fault {
  const fault: Fault = { id: newSerialId(context.store, 'flt', 'faults'), ...input };
  context.store.table('faults').put(fault);
  return fault;
}

/** Returns the effect of the oldest fault that matches and whose probability comes up, and counts it down. */
export function takeFault(
  context: Context,
  kind: 'operation' | 'delivery',
  name: string,
  rngStream: number,
): Fault['effect'] | undefined {
  const faults = context.store.table('faults');
  if (faults.count() === 0) return undefined;
  for (const fault of faults.oldest({ limit: Number.POSITIVE_INFINITY })) {
    const target = fault[kind];
    if (target !== name && target !== '*') continue;
    const { probability, times } = fault;
    if (probability !== undefined && context.ports.random.fraction(rngStream) >= probability)
      continue;
    if (times !== undefined && times <= 1) faults.delete(fault.id);
    else if (times !== undefined) faults.put({ ...fault, times: times - 1 });
    return fault.effect;
  }
  return undefined;
}
