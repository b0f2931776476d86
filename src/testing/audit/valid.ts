import { sampleEvent, sampleTypes } from '../sample-event.ts';
import { type TestPayload, toMessage } from '../test-request.ts';
import { type Make, sentEntries } from '../vectors/drafting.ts';
import { valid } from '../vectors/valid.ts';
import {
  type AuditCase,
  type AuditTools,
  isAccepted,
  type Message,
  toFinding,
  withEffects,
} from './audit-case.ts';

/** The service's largest events stay below it. */
const largeBytes = 900_000;
const neverHandled =
  'It was acknowledged but took no effect, so the event is lost. Respond 2xx only after it is handled or stored, and let effects count it.';

interface Sent {
  /** Default: a new event that takes effect. */
  readonly message?: (tools: AuditTools) => Message;
  readonly make?: Make;
  readonly isUncounted?: true;
}

function accepts(
  what: string,
  { advice, needs }: Pick<AuditCase, 'advice' | 'needs'>,
  { message = (tools) => tools.message(), make, isUncounted }: Sent,
): AuditCase {
  return {
    name: `accepts ${what}`,
    advice,
    needs,
    async run(tools) {
      const { effects } = tools;
      if (isUncounted) effects?.lose();
      const before = isUncounted || !effects ? 0 : await effects.begin();
      const response = await tools.deliver(message(tools), make);
      const found = toFinding('2xx', [response], isAccepted(response) ? 'passed' : 'failed');
      if (found.outcome === 'failed' || !effects || isUncounted) return found;
      return withEffects(found, await effects.rise(before, 1), 1, neverHandled);
    },
  };
}

const first = (what: string): AuditCase =>
  accepts(
    what,
    { advice: 'Verify the raw body with the secret of this endpoint, then respond 2xx quickly.' },
    { message: (tools) => tools.first },
  );
// Made when it is sent: no global is touched while modules load, since Jest's jsdom lacks some.
const uncounted = (what: string, advice: string, payload: () => TestPayload): AuditCase =>
  accepts(
    what,
    { advice },
    {
      message: ({ options }) => toMessage(payload(), options),
      isUncounted: true,
    },
  );

/** One delivery of each type, the one that is counted first: it shows how long an effect takes. */
export const types: readonly AuditCase[] = [
  first('usage_threshold'),
  ...sampleTypes
    .filter((type) => type !== 'usage_threshold')
    .map((type) => uncounted(type, 'The service sends this type, too.', () => sampleEvent(type))),
];

export const ordinary: readonly AuditCase[] = [first('an ordinary delivery')];

export const ofService: readonly AuditCase[] = [
  uncounted(
    'a callback without requestId and status',
    'The request id is usually present, but not always.',
    () => ({ result: 'text', model: 'content-1', usage: { totalTokens: 2 } }),
  ),
  uncounted(
    'an unknown type',
    'Later versions add types: acknowledge the ones you do not know.',
    () => ({ event: 'type_of_a_later_version', organization: 'org_1' }),
  ),
];

export const validDeliveries: readonly AuditCase[] = [
  ...sentEntries(valid).flatMap(({ facts, entries }) =>
    entries.map(([comment, make]) => accepts(comment, facts, { make })),
  ),
  accepts(
    'a body of 900 kB',
    { advice: 'Bodies can be large: let the framework and its proxy pass 1 MiB.' },
    {
      message(tools) {
        const { id, body } = tools.message();
        const bytes = Math.min(largeBytes, tools.maxBodyBytes) - body.length - 100;
        return { id, body: body.replace(/}$/, `,"note":"${'x'.repeat(Math.max(0, bytes))}"}`) };
      },
    },
  ),
];
