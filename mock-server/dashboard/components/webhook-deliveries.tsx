import type { Webhook } from '../../../src/index.ts';
import { count, share } from '../logic/format.ts';
import { href } from '../router.ts';
import { control } from '../state/control.ts';
import type { Action } from './action.ts';
import { DeliveryLines } from './delivery-lines.tsx';
import { Problem } from './problem.tsx';
import { isAbout } from './use-list.ts';
import { useValue } from './use-value.ts';

interface WebhookDeliveriesProps {
  readonly webhook: Webhook;
  readonly act: Action<[work: () => Promise<string>]>;
}

const states = ['delivered', 'retrying', 'failed'] as const;
const tones = { delivered: undefined, retrying: 'warn', failed: 'bad' } as const;

/** A webhook's delivery counts, its latest deliveries, and buttons to resend the failed ones. */
export function WebhookDeliveries({ webhook: { id, status }, act }: WebhookDeliveriesProps) {
  const { value, error } = useValue(() => countDeliveries(id), isAbout('delivery.'), id);
  const resend = (which: 'failed' | 'retrying') =>
    act.run(async () => {
      const sent = await control.redeliver({ webhook: id, status: which });
      return `Resent ${count(sent)} ${sent === 1 ? 'delivery' : 'deliveries'}.`;
    });
  return (
    <section aria-label="Deliveries">
      <h3 class="row">
        Deliveries
        <a class="push small" href={href('deliveries', undefined, { text: id })}>
          All {value && count(value.total)}
        </a>
      </h3>
      <Problem error={error} />
      {value && value.total > 0 && (
        <>
          <Health counts={value} />
          <dl class="figures">
            {states.map((name) => (
              <div key={name} data-tone={value[name] > 0 ? tones[name] : undefined}>
                <dt>{name}</dt>
                <dd>
                  <a href={href('deliveries', undefined, { text: id, status: name })}>
                    {count(value[name])}
                  </a>
                </dd>
              </div>
            ))}
          </dl>
        </>
      )}
      <DeliveryLines query={{ webhook: id }} limit={10} empty="None yet. Send a test to see one." />
      {value && (
        <div class="row">
          {(['failed', 'retrying'] as const).map(
            (name) =>
              value[name] > 0 && (
                <button
                  key={name}
                  type="button"
                  disabled={act.busy || status === 'disabled'}
                  onClick={() => void resend(name)}
                >
                  Resend {count(value[name])} {name}
                </button>
              ),
          )}
        </div>
      )}
    </section>
  );
}

type Counts = Readonly<Record<(typeof states)[number] | 'total', number>>;

async function countDeliveries(webhook: string): Promise<Counts> {
  const total = async (status?: string) =>
    (await control.search('deliveries', { webhook, limit: 1, ...(status && { status }) })).total;
  const [all, ...each] = await Promise.all([total(), ...states.map(total)]);
  const [delivered = 0, retrying = 0, failed = 0] = each;
  return { total: all, delivered, retrying, failed };
}

/** The share of delivered, retrying and failed deliveries as one bar. */
function Health({ counts }: { counts: Counts }) {
  const { delivered, retrying, failed } = counts;
  const judged = delivered + retrying + failed;
  if (judged === 0) return null;
  const width = (part: number) => ({ width: `${(part / judged) * 100}%` });
  return (
    <div
      class="health"
      role="img"
      aria-label={`${share(delivered / judged)} delivered`}
      title={`${share(delivered / judged)} delivered`}
    >
      {delivered > 0 && <span class="good" style={width(delivered)} />}
      {retrying > 0 && <span class="warn" style={width(retrying)} />}
      {failed > 0 && <span class="bad" style={width(failed)} />}
    </div>
  );
}
