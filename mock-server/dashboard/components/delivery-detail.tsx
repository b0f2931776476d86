import { shortId } from '../logic/format.ts';
import { href } from '../router.ts';
import { readDelivery, type SentDelivery } from '../state/control.ts';
import { client } from '../state/session.ts';
import { useAction } from './action.ts';
import { Attempt } from './attempt.tsx';
import { Status } from './badge.tsx';
import { Code, prettyText } from './code.tsx';
import { Id } from './copy.tsx';
import { Detail, Facts } from './detail.tsx';
import { Problem } from './problem.tsx';
import { FullTime } from './time.tsx';
import { isAbout } from './use-feed.ts';
import { useValue } from './use-value.ts';

/** One delivery: its body, its attempts, and redelivery. */
export function DeliveryDetail({ id }: { id: string }) {
  const { value, error, reload } = useValue(() => readDelivery(id), isAbout('delivery.'), id);
  const redeliver = useAction(async () => {
    await client.webhooks.redeliver(id);
    reload();
    return 'Sent again with the same body and webhook-id.';
  });
  return (
    <Detail title={shortId(id)} back={href('deliveries')}>
      <Problem error={error ?? redeliver.error} />
      {value && (
        <>
          <DeliveryFacts delivery={value} />
          <div class="row">
            <button type="button" disabled={redeliver.busy} onClick={() => void redeliver.run()}>
              {value.status === 'pending' ? 'Attempt now' : 'Redeliver'}
            </button>
            {value.status === 'pending' && (
              <span class="hint">Still pending. Advance the clock to see its retries.</span>
            )}
          </div>
          {value.body !== undefined && (
            <section>
              <h3>Body</h3>
              <Code text={prettyText(value.body)} what="the body" />
            </section>
          )}
          <Attempts delivery={value} />
        </>
      )}
    </Detail>
  );
}

function DeliveryFacts({ delivery }: { delivery: SentDelivery }) {
  return (
    <Facts
      rows={[
        ['Status', <Status key="status" value={delivery.status} />],
        ['Event', delivery.event],
        ['To', <code key="to">{delivery.url}</code>],
        ['Delivery', <Id key="id" value={delivery.id} />],
        ['webhook-id', <Id key="message" value={delivery.messageId} what="the webhook-id" />],
        delivery.webhookId !== undefined && [
          'Webhook',
          <a key="hook" class="mono" href={href('webhooks', delivery.webhookId)}>
            {shortId(delivery.webhookId)}
          </a>,
        ],
        delivery.requestId !== undefined && [
          'Generation',
          <a key="generation" class="mono" href={href('generations', delivery.requestId)}>
            {shortId(delivery.requestId)}
          </a>,
        ],
        ['Created', <FullTime key="created" at={delivery.createdAt} />],
        delivery.nextAttemptAt !== undefined && [
          'Next attempt',
          <FullTime key="next" at={delivery.nextAttemptAt} />,
        ],
      ]}
    />
  );
}

function Attempts({ delivery }: { delivery: SentDelivery }) {
  return (
    <section>
      <h3>Attempts</h3>
      {delivery.attempts.length === 0 && <p class="muted">No attempts yet.</p>}
      {delivery.attempts
        .map((attempt, index) => (
          <Attempt
            key={attempt.at}
            number={index + 1}
            attempt={attempt}
            body={delivery.body}
            callback={delivery.webhookId === undefined}
            open={index === delivery.attempts.length - 1}
          />
        ))
        .reverse()}
    </section>
  );
}
