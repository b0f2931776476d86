import { useEffect, useRef } from 'preact/hooks';
import type { GenerationView } from '../../index.ts';
import { count } from '../logic/format.ts';
import { href } from '../router.ts';
import { control } from '../state/control.ts';
import { client } from '../state/session.ts';
import { useAction } from './action.ts';
import { Status } from './badge.tsx';
import { Code, Json } from './code.tsx';
import { Id } from './copy.tsx';
import { DeliveryLines } from './delivery-lines.tsx';
import { Detail, Facts } from './detail.tsx';
import { backTo } from './list-page.tsx';
import { Problem } from './problem.tsx';
import { FullTime } from './time.tsx';
import { isAbout } from './use-list.ts';
import { useValue } from './use-value.ts';

/** Interval between reads of a running generation, ms. */
const READ_EVERY_MS = 400;

/** One generation: its prompt, the text so far, its usage, and its deliveries. */
export function GenerationDetail({ id }: { id: string }) {
  const { value, error, reload } = useValue(
    async () => (await control.search('generations', { ids: [id] })).data,
    isAbout('generation.'),
    id,
  );
  const generation = value?.[0];
  const running = generation?.status === 'processing';
  const read = useRef(reload);
  read.current = reload;
  useEffect(() => {
    if (!running) return;
    const timer = setInterval(() => read.current(), READ_EVERY_MS);
    return () => clearInterval(timer);
  }, [running]);
  return (
    <Detail
      title="Generation"
      badge={generation && <Status value={generation.status} />}
      back={backTo('generations')}
    >
      <Problem error={error} />
      {generation && <Contents generation={generation} />}
      {value && !generation && <p class="muted">This generation does not exist on this server.</p>}
    </Detail>
  );
}

function Contents({ generation }: { generation: GenerationView }) {
  const { requestId, status, prompt, text = '', result, error, metadata } = generation;
  const cancel = useAction(async () => {
    await client.content.cancel(requestId);
    return 'Generation canceled.';
  });
  return (
    <>
      <Problem error={cancel.error} />
      <section>
        <h3>Prompt</h3>
        {prompt === undefined ? (
          <p class="muted small">
            This server does not store bodies, so the prompt cannot be shown.
          </p>
        ) : (
          <Code text={prompt} what="the prompt" />
        )}
      </section>
      {status === 'processing' && (
        <section>
          <h3>Text so far</h3>
          {text ? (
            <Code text={text} what="the text so far" />
          ) : (
            <p class="muted small">Nothing yet.</p>
          )}
          <div class="row">
            <button type="button" disabled={cancel.busy} onClick={() => void cancel.run()}>
              Cancel
            </button>
            <span class="hint">A canceled generation sends no callback.</span>
          </div>
        </section>
      )}
      {result !== undefined && (
        <section>
          <h3>Result</h3>
          <Code text={result} what="the result" />
        </section>
      )}
      {error && <Json value={error} what="the error" />}
      <Tokens generation={generation} />
      {generation.webhookUrl !== undefined && (
        <section>
          <h3>Deliveries</h3>
          <DeliveryLines query={{ text: requestId }} empty="None yet." />
        </section>
      )}
      {metadata && <Json value={metadata} what="the metadata" />}
      <GenerationFacts generation={generation} />
    </>
  );
}

/** The generation's usage, by part. */
function Tokens({ generation: { usage } }: { generation: GenerationView }) {
  if (!usage) return null;
  return (
    <dl class="figures">
      <div>
        <dt>Prompt</dt>
        <dd>{count(usage.promptTokens)}</dd>
      </div>
      <div>
        <dt>Completion</dt>
        <dd>{count(usage.completionTokens)}</dd>
      </div>
      <div>
        <dt>Total tokens</dt>
        <dd>{count(usage.totalTokens)}</dd>
      </div>
    </dl>
  );
}

const kinds = { response: 'in the response', stream: 'as a stream', callback: 'to a callback' };

function GenerationFacts({ generation }: { generation: GenerationView }) {
  const { requestId, model, delivery, createdAt, completedAt, webhookUrl, apiRequestId, stream } =
    generation;
  return (
    <Facts
      rows={[
        ['Identifier', <Id key="id" value={requestId} />],
        ['Model', model],
        ['Returned', kinds[delivery]],
        stream !== undefined && [
          'Streams',
          `readers ${stream.readers}, cut ${stream.cuts}, resumed ${stream.resumptions}`,
        ],
        webhookUrl !== undefined && ['Callback', <code key="callback">{webhookUrl}</code>],
        apiRequestId !== undefined && [
          'Request',
          <a
            key="request"
            class="mono"
            href={href('requests', undefined, { text: apiRequestId, own: 'yes' })}
          >
            {apiRequestId}
          </a>,
        ],
        ['Created', <FullTime key="created" at={createdAt} />],
        completedAt !== undefined && ['Ended', <FullTime key="ended" at={completedAt} />],
      ]}
    />
  );
}
