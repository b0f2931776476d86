import type { Generation } from '../../../src/index.ts';
import { count, duration, shortId } from '../logic/format.ts';
import { href } from '../router.ts';
import { client } from '../state/session.ts';
import { Status } from './badge.tsx';
import { Facts } from './detail.tsx';
import { isAbout } from './use-list.ts';
import { useValue } from './use-value.ts';

/** The result of a playground call, as far as it has arrived. */
export interface Output {
  readonly text: string;
  readonly tookMs?: number;
  readonly generation?: Generation;
  /** Set for a generation with a callback. */
  readonly requestId?: string;
}

/** The text that has arrived, or the generation that runs in the background. */
export function Result({ output, busy }: { output: Output; busy: boolean }) {
  if (output.requestId) return <Job requestId={output.requestId} />;
  const { generation, tookMs, text } = output;
  return (
    <div class="form" aria-live="polite" aria-busy={busy}>
      <div class="output">{text || (busy ? 'Waiting for the first words…' : '')}</div>
      {generation && (
        <p class="small muted">
          <a class="mono" href={href('generations', generation.requestId)}>
            {shortId(generation.requestId)}
          </a>
          {generation.usage && <>, {count(generation.usage.totalTokens)} tokens</>}
          {tookMs !== undefined && <>, {duration(tookMs)}</>}
        </p>
      )}
    </div>
  );
}

/** A generation with a callback, updated until it ends. */
function Job({ requestId }: { requestId: string }) {
  const { value } = useValue<Generation>(
    async () => client.content.get(requestId),
    isAbout('generation.'),
    requestId,
  );
  return (
    <div class="form" aria-live="polite">
      <Facts
        rows={[
          [
            'Acknowledged',
            <a key="id" class="mono" href={href('generations', requestId)}>
              {shortId(requestId)}
            </a>,
          ],
          value !== undefined && ['Status', <Status key="status" value={value.status} />],
          value?.completedAt !== undefined && [
            'Callback',
            <a key="callback" href={href('deliveries', undefined, { text: requestId })}>
              Show the delivery
            </a>,
          ],
        ]}
      />
      {value?.result !== undefined && <div class="output">{value.result}</div>}
    </div>
  );
}
