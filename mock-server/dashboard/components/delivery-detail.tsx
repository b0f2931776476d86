import { useState } from 'preact/hooks';
import type { Webhook } from '../../../src/index.ts';
import { causeOf, reasonOf } from '../logic/delivery.ts';
import { bytes, count } from '../logic/format.ts';
import { href } from '../router.ts';
import { serverNow } from '../state/clock.ts';
import { readDelivery, type SentDelivery } from '../state/control.ts';
import { client, role } from '../state/session.ts';
import { Attempt } from './attempt.tsx';
import { Badge } from './badge.tsx';
import { Code, prettyText } from './code.tsx';
import { Id } from './copy.tsx';
import { DeliveryActions } from './delivery-actions.tsx';
import { Detail, Facts } from './detail.tsx';
import { backTo } from './list-page.tsx';
import { Problem } from './problem.tsx';
import { FullTime } from './time.tsx';
import { Timeline } from './timeline.tsx';
import { isAbout } from './use-list.ts';
import { useValue } from './use-value.ts';

/** One delivery: its attempts, then its timeline, its body and its facts. */
export function DeliveryDetail({ id }: { id: string }) {
  const { value, error, reload } = useValue(() => readDelivery(id), isAbout('delivery.'), id);
  const webhookId = value?.webhookId;
  const webhook = useValue(
    async () => (webhookId && role.value === 'admin' ? client.webhooks.get(webhookId) : undefined),
    isAbout('webhook.'),
    webhookId ?? '',
  ).value;
  const cause = value && causeOf(value, serverNow.value);
  return (
    <Detail
      title={value?.event ?? 'Delivery'}
      badge={cause && <Badge tone={cause.tone}>{cause.text}</Badge>}
      back={backTo('deliveries')}
    >
      <Problem error={error} />
      {value && (
        <>
          <p class="target">
            <span class="muted">POST</span> {value.url}
          </p>
          <DeliveryActions delivery={value} onSent={reload} />
          <Attempts key={id} delivery={value} />
          <section>
            <h3>Timeline</h3>
            <Timeline delivery={value} />
          </section>
          <Body text={value.body} />
          <DeliveryFacts delivery={value} webhook={webhook} />
        </>
      )}
    </Detail>
  );
}

function Attempts({ delivery }: { delivery: SentDelivery }) {
  const { attempts, body, webhookId } = delivery;
  const last = attempts.at(-1);
  return (
    <section aria-label="Attempts">
      <h3>Attempts</h3>
      {!last && (
        <p class="muted small">None yet. If the clock is manual, run the jobs that are due.</p>
      )}
      {attempts
        .map((attempt, index) => (
          <Attempt
            // biome-ignore lint/suspicious/noArrayIndexKey: attempts are only added at the end
            key={index}
            number={index + 1}
            attempt={attempt}
            body={body}
            callback={webhookId === undefined}
            open={attempt === last}
          />
        ))
        .reverse()}
      {last && reasonOf(last) === undefined && last.response === undefined && (
        <p class="muted small">The response had no body.</p>
      )}
    </section>
  );
}

/** The body, indented for reading; copying it always gives the bytes that were sent. */
function Body({ text }: { text: string }) {
  const [raw, setRaw] = useState(false);
  return (
    <section>
      <h3 class="row">
        Body <span class="muted small">{count(bytes(text))} bytes</span>
        <label class="check push">
          <input
            type="checkbox"
            checked={raw}
            onChange={({ currentTarget }) => setRaw(currentTarget.checked)}
          />
          As sent
        </label>
      </h3>
      <Code text={raw ? text : prettyText(text)} copied={text} what="the body as sent" />
    </section>
  );
}

interface FactsProps {
  readonly delivery: SentDelivery;
  readonly webhook: Webhook | undefined;
}

function DeliveryFacts({ delivery, webhook }: FactsProps) {
  const { webhookId, requestId, id, messageId, createdAt, nextAttemptAt } = delivery;
  return (
    <Facts
      rows={[
        webhookId !== undefined && [
          'Webhook',
          <a key="hook" href={href('webhooks', webhookId)}>
            {webhook?.description ?? webhook?.event ?? webhookId}
          </a>,
        ],
        requestId !== undefined && [
          'Generation',
          <a key="generation" class="mono" href={href('generations', requestId)}>
            {requestId}
          </a>,
        ],
        ['Delivery', <Id key="id" value={id} />],
        ['webhook-id', <Id key="message" value={messageId} what="the webhook-id" />],
        ['Created', <FullTime key="created" at={createdAt} />],
        nextAttemptAt !== undefined && ['Next attempt', <FullTime key="next" at={nextAttemptAt} />],
      ]}
    />
  );
}
