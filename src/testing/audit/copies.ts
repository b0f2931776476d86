import type { TargetResponse } from '../send.ts';
import { wrongInTheMiddle } from '../vectors/forged.ts';
import {
  type AuditCase,
  type AuditTools,
  type Finding,
  isAccepted,
  isBusy,
  type Message,
  signedAgo,
  toFinding,
  withEffects,
} from './audit-case.ts';

const howToObserve =
  'A receiver that remembers nothing responds the same. Pass a counter of its effects: contentgen audit --effects URL, ' +
  'or auditReceiver(handler, { effects }) in a test.';

/** A case about how often deliveries take effect. Only `effects` can show it. */
function counts(
  name: string,
  advice: string,
  expected: string,
  wanted: number,
  sendAll: (tools: AuditTools) => Promise<TargetResponse[]>,
  isRight = (responses: readonly TargetResponse[]) => responses.every(isAccepted),
): AuditCase {
  return {
    name,
    advice,
    async run(tools) {
      const { effects } = tools;
      const before = (await effects?.begin()) ?? 0;
      const responses = await sendAll(tools);
      const found = toFinding(expected, responses, isRight(responses) ? 'passed' : 'failed');
      if (effects) return withEffects(found, await effects.rest(before, wanted), wanted);
      if (found.outcome === 'failed') return found;
      const got = `${found.got}; effects not observable`;
      return { ...found, got, outcome: 'not_observable', advice: howToObserve };
    },
  };
}

/** Delivers messages one after the other. Each attempt is signed at its own time, as a retry is. */
async function inOrder(tools: AuditTools, messages: readonly Message[]): Promise<TargetResponse[]> {
  const responses: TargetResponse[] = [];
  for (const [index, message] of messages.entries()) {
    responses.push(await tools.deliver(message, signedAgo(messages.length - 1 - index)));
  }
  return responses;
}

const remember =
  'Deliveries arrive at least once, each attempt with its own time and signature: remember every webhook-id and acknowledge handled ones.';

export const copies: readonly AuditCase[] = [
  counts('handles a duplicate once', remember, '2xx, 2xx, 2xx', 1, (tools) => {
    const message = tools.message();
    return inOrder(tools, [message, message, message]);
  }),
  counts('handles interleaved duplicates once each', remember, 'five 2xx', 2, (tools) => {
    const [a, b] = [tools.message(), tools.message()];
    return inOrder(tools, [a, b, a, b, a]);
  }),
  {
    ...counts(
      'handles two events with equal bodies',
      'Two events can have the same content: recognize duplicates by webhook-id, not by the body.',
      '2xx, 2xx',
      2,
      (tools) => {
        const { body } = tools.message();
        return inOrder(tools, [
          { body, id: tools.message().id },
          { body, id: tools.message().id },
        ]);
      },
    ),
    needs: 'id',
  },
  counts(
    'handles concurrent copies once',
    'Claim the webhook-id atomically before the effect; respond 409, 425, 429 or 503 while another copy is being handled, and 2xx afterwards.',
    '2xx or busy, finally 2xx',
    1,
    async (tools) => {
      const message = tools.message();
      const racing = [4, 3, 2, 1, 0].map(async (seconds) =>
        tools.send(await tools.sign(message, signedAgo(seconds))),
      );
      const responses = await Promise.all(racing);
      // Copies wait for one another, so only the quickest one shows how long the receiver takes.
      const durationMs = Math.min(...responses.map((response) => response.durationMs));
      return [
        ...responses.map((response) => ({ ...response, durationMs })),
        await tools.deliver(message),
      ];
    },
    (responses) =>
      responses.every((response) => isAccepted(response) || isBusy(response)) &&
      responses.slice(-1).every(isAccepted),
  ),
  counts(
    'handles a delivery after a forged one with its id',
    'Verify first: whoever can mark a webhook-id as handled without a signature makes you lose the delivery.',
    '4xx, 2xx',
    1,
    async (tools) => {
      const message = tools.message();
      const forged = await tools.sign(message, wrongInTheMiddle);
      return [await tools.send(forged), await tools.deliver(message)];
    },
    ([forged, valid]) =>
      forged !== undefined && valid !== undefined && !isAccepted(forged) && isAccepted(valid),
  ),
  {
    name: 'handles again what failed',
    advice:
      'Mark a webhook-id as handled only with its effect, and respond 2xx only after it: what fails must be retried.',
    async run(tools) {
      const { effects, failNext } = tools;
      if (!effects || !failNext)
        return unseen(
          'finally 2xx; 1 effect',
          'Only an effect that fails shows it: pass effects and failNext to auditReceiver, or simulate the application.',
        );
      const before = await effects.begin();
      const message = tools.message();
      await failNext();
      const responses = [await tools.deliver(message, signedAgo(1))];
      // Once acknowledged, it is not sent again.
      if (!responses.some(isAccepted)) responses.push(await tools.deliver(message));
      const outcome = responses.slice(-1).every(isAccepted) ? 'passed' : 'failed';
      return withEffects(
        toFinding('finally 2xx', responses, outcome),
        await effects.rest(before, 1),
        1,
      );
    },
  },
];

/** Comes after everything else that takes effect. */
export const lateCopy = counts(
  'remembers a duplicate after other deliveries',
  remember,
  '2xx',
  0,
  (tools) => inOrder(tools, [tools.first]),
);

export function forgeriesTakeNoEffect(before: number | undefined): AuditCase {
  return {
    name: 'lets no forged delivery take effect',
    advice: 'Verify before anything else happens: the response does not undo an effect.',
    async run({ effects }) {
      if (!effects || before === undefined) return unseen('0 effects', howToObserve);
      const found = await effects.rest(before, 0);
      const outcome = found === 0 ? 'passed' : 'failed';
      return { expected: '0 effects', got: `${found} effects`, outcome, durationMs: 0 };
    },
  };
}

function unseen(expected: string, advice: string): Finding {
  return { expected, got: 'not observable', outcome: 'not_observable', durationMs: 0, advice };
}
