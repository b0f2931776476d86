import type { Context } from './context.ts';
import { faultStream, newSerialId } from './ids.ts';
import type { Fault } from './records.ts';

export interface FaultSubject {
  readonly organization: string;
  readonly rngStream: number;
  readonly ref?: string;
  readonly attempt?: number;
}

export type FaultInput = Omit<Fault, 'id'>;

/** Adds a fault. If several match, the oldest applies. */
export function addFault(context: Context, input: FaultInput): Fault {
  const fault: Fault = { id: newSerialId(context.store, 'flt', 'faults'), ...input };
  context.store.table('faults').put(fault);
  return fault;
}

/**
 * Returns the effect of the oldest fault that matches and whose probability comes up, and counts down its `times`. A
 * fault that `applies` rejects is skipped.
 */
export function takeFault(
  context: Context,
  kind: 'operation' | 'delivery',
  name: string,
  subject: FaultSubject,
  applies: (effect: Fault['effect']) => boolean = () => true,
): Fault['effect'] | undefined {
  const faults = context.store.table('faults');
  const { organization, rngStream } = subject;
  for (const fault of faults.oldest()) {
    const target = fault[kind];
    if (target !== name && target !== '*') continue;
    if (fault.organization !== undefined && fault.organization !== organization) continue;
    if (!applies(fault.effect)) continue;
    const { probability, times } = fault;
    const { random } = context.ports;
    if (!fault.matched) faults.put({ ...fault, matched: true });
    if (probability !== undefined && random.fraction(faultStream(rngStream)) >= probability)
      continue;
    if (times !== undefined && times <= 1) faults.delete(fault.id);
    else if (times !== undefined) faults.put({ ...fault, matched: true, times: times - 1 });
    return fault.effect;
  }
  const chosen = context.ports.chooseFault?.(kind, name, subject);
  return chosen && applies(chosen) ? chosen : undefined;
}
