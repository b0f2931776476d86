import type { Context } from '../domain/context.ts';
import { redeliver, redeliverEdited } from '../domain/delivery/redeliver.ts';
import { matches, mustBe, type OptionRules, recordOf } from '../domain/options.ts';
import { assertArguments, notFound, resultOf } from './arguments.ts';
import { type DeliveryView, deliveryView } from './logs/logs.ts';

/** What to change in a delivery that is sent again. */
export interface DeliveryChanges {
  /** The body to send, byte for byte as UTF-8. It need not be JSON. @default the original body */
  readonly body?: string;
  /**
   * Headers to send in addition to the server's own, or instead of them. Pass the original `webhook-id` so that a
   * receiver treats the delivery as a duplicate. Another one is 1 to 255 letters, digits, `-` or `_`.
   * @default the server's headers, with a new `webhook-id`
   */
  readonly headers?: Readonly<Record<string, string>>;
}

const isHeaderName = matches(/^[!#$%&'*+.^_`|~\w-]{1,255}$/);
const isHeaderValue = matches(/^[\t\x20-\x7e]*$/);
const isMessageId = matches(/^[\w-]{1,255}$/);

const rules: OptionRules<DeliveryChanges> = {
  body: mustBe('a string', (value) => typeof value === 'string'),
  headers: mustBe(
    'an object of header names and values, whose webhook-id is 1 to 255 letters, digits, - or _',
    recordOf(isHeaderName, (value, name) =>
      name.toLowerCase() === 'webhook-id' ? isMessageId(value) : isHeaderValue(value),
    ),
  ),
};

export function redeliverOne(
  context: Context,
  id: string,
  changes: DeliveryChanges = {},
): DeliveryView {
  assertArguments('Failed to redeliver', changes, rules);
  const original = context.store.table('deliveries').get(id);
  if (!original) throw notFound('delivery', id);
  const { body, headers } = changes;
  const sent = context.store.transaction(() =>
    body === undefined && headers === undefined
      ? redeliver(context, original)
      : redeliverEdited(context, original, body ?? original.body, headers ?? {}),
  );
  return deliveryView(resultOf(sent));
}
