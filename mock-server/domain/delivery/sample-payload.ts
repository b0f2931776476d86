import { samples } from '../../../src/generated/samples.ts';
import type { Context } from '../context.ts';
import { timestamp } from '../periods.ts';
import type { Webhook } from '../records.ts';

/** The sample event that a test sends to a registration: the contract's example. None of its values is counted. */
export function samplePayload({ ports }: Context, { event, organization }: Webhook): object {
  return { ...samples[event], organization, occurredAt: timestamp(ports.clock.now()) };
}
