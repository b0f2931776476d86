import type { TargetResponse } from '../send.ts';
import { type SignedDelivery, toMessage } from '../test-request.ts';
import { type Catalogue, sentEntries } from '../vectors/drafting.ts';
import { forged } from '../vectors/forged.ts';
import { odd } from '../vectors/odd.ts';
import { type AuditCase, type AuditTools, isAccepted, toFinding } from './audit-case.ts';

const isRejected = ({ status }: TargetResponse) => status >= 400 && status < 500;
const respond4xx =
  'It was refused, but with a status that asks for more attempts: respond 4xx to what can never be accepted.';

/**
 * @param accepted - The outcome if one is accepted; `warning` if only someone who has the secret or a valid
 * delivery could send it, and would gain nothing.
 */
function rejects(
  accepted: 'failed' | 'warning',
  what: string,
  { advice, needs }: Pick<AuditCase, 'advice' | 'needs'>,
  make: (tools: AuditTools) => Promise<readonly SignedDelivery[]>,
): AuditCase {
  return {
    name: `rejects ${what}`,
    advice,
    needs,
    async run(tools) {
      const deliveries = await make(tools);
      const responses = await Promise.all(deliveries.map((delivery) => tools.send(delivery)));
      const expected = responses.length === 1 ? '4xx' : 'only 4xx';
      if (responses.every(isRejected)) return toFinding(expected, responses, 'passed');
      if (responses.some(({ status }) => status === 0))
        return toFinding(expected, responses, 'failed');
      if (responses.some(isAccepted)) return toFinding(expected, responses, accepted);
      return { ...toFinding(expected, responses, 'warning'), advice: respond4xx };
    },
  };
}

const casesOf = (accepted: 'failed' | 'warning', catalogue: Catalogue): AuditCase[] =>
  sentEntries(catalogue).map(({ facts, entries }) =>
    rejects(accepted, facts.title ?? '', facts, (tools) =>
      Promise.all(
        entries
          .filter(([, , only]) => only === undefined || tools.has.has(only))
          .map(([, make]) => tools.sign(tools.message(), make)),
      ),
    ),
  );

export const forgeries: readonly AuditCase[] = casesOf('failed', forged);

/** What nobody could use, or only with the secret: strict receivers reject it. */
export const oddities: readonly AuditCase[] = [
  ...casesOf('warning', odd),
  rejects(
    'warning',
    'an oversized body',
    { advice: 'Limit the size of the body before you hash: anybody can send a large one.' },
    async (tools) => {
      const event = { event: 'large', filler: 'x'.repeat(tools.maxBodyBytes) };
      return [await tools.sign(toMessage(event, tools.options))];
    },
  ),
  rejects(
    'warning',
    'GET',
    { advice: 'Deliveries are POSTs; respond 405 to every other method.' },
    async (tools) => [{ ...(await tools.sign()), method: 'GET', body: undefined }],
  ),
];
