import { defaultToleranceS } from '../../webhooks/defaults.ts';
import { sampleEvent, sampleTypes } from '../sample-event.ts';
import { type SignedDelivery, signDelivery, toMessage } from '../test-request.ts';
import {
  type AuditCase,
  type AuditTools,
  accepts,
  decoy,
  signatureHeaders,
  withHeaders,
} from './audit-case.ts';

const rawBody = 'Verify the bytes of the body as received, before anything parses or trims them.';
/** The service's largest events stay below it. */
const largeBytes = 900_000;

/** First `usage_threshold`, which shows how long an effect takes. */
const types = ['usage_threshold', ...sampleTypes.filter((type) => type !== 'usage_threshold')];

/** Next to the signature of a secret that the receiver does not have, as after a rotation. */
async function nextTo(
  delivery: SignedDelivery,
  tools: AuditTools,
  join: (own: string, other: string) => string,
): Promise<SignedDelivery> {
  const [name = ''] = signatureHeaders(tools);
  const message = { id: delivery.headers['webhook-id'] ?? '', body: delivery.body ?? '' };
  const other = await signDelivery(message, { ...tools.options, secret: decoy() });
  const value = join(delivery.headers[name] ?? '', other.headers[name] ?? '');
  return withHeaders(delivery, signatureHeaders(tools), value);
}

/** Deliveries that the service could send: each must be accepted. The first ones are one of each type. */
export const validDeliveries: readonly AuditCase[] = [
  ...(types as typeof sampleTypes).map((type) =>
    accepts(
      type,
      'Verify the raw body with the secret of this endpoint, then respond 2xx quickly.',
      (tools) =>
        type === 'usage_threshold' ? tools.first : toMessage(sampleEvent(type), tools.options),
      { counted: type === 'usage_threshold' },
    ),
  ),
  accepts(
    'a callback without requestId and status',
    'The request id is usually present, but not always.',
    ({ options }) =>
      toMessage({ result: 'text', model: 'content-1', usage: { totalTokens: 2 } }, options),
    { counted: false },
  ),
  accepts(
    'an unknown type',
    'Later versions add types: acknowledge the ones you do not know.',
    ({ options }) =>
      toMessage({ event: 'type_of_a_later_version', organization: 'org_1' }, options),
    { counted: false },
  ),
  accepts('text that is not ASCII', rawBody, (tools) => {
    const { id, body } = tools.message();
    return { id, body: body.replace(/}$/, ',"note":"Zürich, 東京, 🙂, \u2028, \ufffd"}') };
  }),
  accepts('JSON in another format', rawBody, (tools) => {
    const { id, body } = tools.message();
    const text = JSON.stringify(JSON.parse(body), undefined, 2);
    return { id, body: text.replace(/\n}$/, ',\n  "note": "\\u00fc \\/", "ratio": 1.50e0\n}') };
  }),
  accepts('a body that begins and ends with white space', rawBody, (tools) => {
    const { id, body } = tools.message();
    return { id, body: ` \n${body}\r\n ` };
  }),
  accepts(
    'a body of 900 kB',
    'Bodies can be large: let the framework and its proxy pass 1 MiB.',
    (tools) => {
      const { id, body } = tools.message();
      const bytes = Math.min(largeBytes, tools.maxBodyBytes) - body.length - 100;
      return { id, body: body.replace(/}$/, `,"note":"${'x'.repeat(Math.max(0, bytes))}"}`) };
    },
  ),
  accepts(
    `a delivery signed ${defaultToleranceS - 10} s ago`,
    `Clocks differ and networks are slow: tolerate ${defaultToleranceS} s.`,
    (tools) => tools.message(),
    { changes: { skewSeconds: 10 - defaultToleranceS }, needs: 'time' },
  ),
  ...(['first', 'second'] as const).map((place) =>
    accepts(
      `the ${place} of two signatures`,
      'During a rotation every delivery has two signatures: accept it if any of them is right.',
      (tools) => tools.message(),
      {
        needs: 'envelope',
        change: (delivery, tools) =>
          nextTo(delivery, tools, (own, other) =>
            place === 'first' ? `${own} ${other}` : `${other} ${own}`,
          ),
      },
    ),
  ),
  accepts(
    'a signature next to one of an unknown version',
    'Skip signatures that you do not know: another scheme can sign alongside this one.',
    (tools) => tools.message(),
    {
      needs: 'envelope',
      change: (delivery, tools) => nextTo(delivery, tools, (own) => `v9,unknown ${own}`),
    },
  ),
];
