import { useState } from 'preact/hooks';
import { useAction } from '../components/action.ts';
import { Status } from '../components/badge.tsx';
import { Code } from '../components/code.tsx';
import { Facts } from '../components/detail.tsx';
import { Field } from '../components/field.tsx';
import { Page } from '../components/page.tsx';
import { faultAt, Problem } from '../components/problem.tsx';
import { about } from '../components/use-feed.ts';
import { useValue } from '../components/use-value.ts';
import { count, duration, shortId } from '../logic/format.ts';
import { type Call, curlSnippet, requestBody, typescriptSnippet } from '../logic/snippets.ts';
import { href } from '../router.ts';
import { origin } from '../state/control.ts';
import { client } from '../state/session.ts';
import type { Generation } from '../state/types.ts';

const modes = [
  ['answer', 'Answer'],
  ['stream', 'Stream'],
  ['callback', 'Callback'],
] as const;

const models = ['content-1', 'content-1-mini'];

interface Output {
  readonly text: string;
  readonly tookMs?: number;
  readonly generation?: Generation;
  /** Set for a generation that answers by callback. */
  readonly requestId?: string;
}

export function GeneratePage() {
  const [prompt, setPrompt] = useState('A haiku about TCP');
  const [model, setModel] = useState('content-1');
  const [maxTokens, setMaxTokens] = useState('');
  const [seed, setSeed] = useState('');
  const [mode, setMode] = useState<Call['mode']>('answer');
  const [webhookUrl, setWebhookUrl] = useState('http://localhost:3000/callbacks');
  const [output, setOutput] = useState<Output>();
  const [running, setRunning] = useState<AbortController>();

  const call: Call = {
    baseUrl: origin,
    prompt,
    model,
    maxTokens: maxTokens ? Number(maxTokens) : undefined,
    seed: seed ? Number(seed) : undefined,
    mode,
    webhookUrl,
  };

  const send = useAction(async () => {
    const abort = new AbortController();
    const started = performance.now();
    setRunning(abort);
    setOutput({ text: '' });
    try {
      const answer = await perform(call, abort.signal, (text) => setOutput({ text }));
      setOutput({ ...answer, tookMs: performance.now() - started });
    } finally {
      setRunning(undefined);
    }
    return undefined;
  });

  return (
    <Page title="Generate">
      <div class="playground">
        <form
          class="card form"
          onSubmit={(event) => {
            event.preventDefault();
            void send.run();
          }}
        >
          <Field label="Prompt" fault={faultAt(send.error, '/prompt')}>
            <textarea
              rows={4}
              value={prompt}
              onInput={({ currentTarget }) => setPrompt(currentTarget.value)}
              onKeyDown={(event) => {
                if (event.key === 'Enter' && (event.metaKey || event.ctrlKey))
                  event.currentTarget.form?.requestSubmit();
              }}
            />
          </Field>
          <div class="fields">
            <Field label="Model" fault={faultAt(send.error, '/model')}>
              <input
                list="models"
                value={model}
                onInput={({ currentTarget }) => setModel(currentTarget.value)}
              />
            </Field>
            <Field label="Max tokens" fault={faultAt(send.error, '/maxTokens')}>
              <input
                type="number"
                placeholder="512"
                value={maxTokens}
                onInput={({ currentTarget }) => setMaxTokens(currentTarget.value)}
              />
            </Field>
            <Field label="Seed" fault={faultAt(send.error, '/seed')}>
              <input
                type="number"
                placeholder="none"
                value={seed}
                onInput={({ currentTarget }) => setSeed(currentTarget.value)}
              />
            </Field>
          </div>
          <datalist id="models">
            {models.map((name) => (
              <option key={name} value={name} />
            ))}
          </datalist>
          <ModeSwitch mode={mode} set={setMode} />
          {mode === 'callback' && (
            <Field
              label="Callback URL"
              hint="The result is posted here when it is ready. HTTPS; http://localhost works on this machine."
              fault={faultAt(send.error, '/webhookUrl')}
            >
              <input
                type="url"
                class="mono"
                value={webhookUrl}
                onInput={({ currentTarget }) => setWebhookUrl(currentTarget.value)}
              />
            </Field>
          )}
          <div class="row">
            <button type="submit" class="primary" disabled={send.busy}>
              Generate
            </button>
            {running && mode === 'stream' && (
              <button type="button" onClick={() => running.abort()}>
                Stop
              </button>
            )}
            <span class="hint">Ctrl or ⌘ with Enter sends too.</span>
          </div>
          <Problem error={send.error} />
          {output && !send.error && <Result output={output} busy={send.busy} />}
        </form>
        <Snippets call={call} />
      </div>
    </Page>
  );
}

/** Sends the call the way its mode says. */
async function perform(
  call: Call,
  signal: AbortSignal,
  show: (text: string) => void,
): Promise<Output> {
  const { prompt: _, stream: __, webhookUrl: ___, ...settings } = requestBody(call);
  const request = { prompt: call.prompt, ...settings };
  if (call.mode === 'stream') {
    const stream = client.content.stream(request, { signal });
    let text = '';
    for await (const delta of stream) {
      text += delta;
      show(text);
    }
    return { text, generation: await stream.final() };
  }
  if (call.mode === 'callback') {
    const job = await client.content.generate({ ...request, webhookUrl: call.webhookUrl });
    return { text: '', requestId: job.requestId };
  }
  const generation = await client.content.generate(request, { signal });
  return { text: generation.result, generation };
}

interface ModeSwitchProps {
  readonly mode: Call['mode'];
  readonly set: (mode: Call['mode']) => void;
}

function ModeSwitch({ mode, set }: ModeSwitchProps) {
  return (
    <div class="field">
      <span class="label" id="mode">
        Result comes as
      </span>
      <span>
        {/* biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be laid out in a line everywhere */}
        <span class="switch" role="group" aria-labelledby="mode">
          {modes.map(([value, name]) => (
            <button
              type="button"
              key={value}
              aria-pressed={mode === value}
              onClick={() => set(value)}
            >
              {name}
            </button>
          ))}
        </span>
      </span>
    </div>
  );
}

function Result({ output, busy }: { output: Output; busy: boolean }) {
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

/** A generation that answers by callback, followed until it ends. */
function Job({ requestId }: { requestId: string }) {
  const { value } = useValue<Generation>(
    async () => client.content.get(requestId),
    about('generation.'),
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
            <a key="callback" href={href('deliveries', undefined, { find: requestId })}>
              its delivery
            </a>,
          ],
        ]}
      />
      {value?.result !== undefined && <div class="output">{value.result}</div>}
    </div>
  );
}

function Snippets({ call }: { call: Call }) {
  const [language, setLanguage] = useState<'TypeScript' | 'curl'>('TypeScript');
  const text = language === 'curl' ? curlSnippet(call) : typescriptSnippet(call);
  return (
    <section class="card" aria-label="The same call in code">
      <header>
        <h2>The same call in code</h2>
        {/* biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be laid out in a line everywhere */}
        <span class="switch" role="group" aria-label="Language">
          {(['TypeScript', 'curl'] as const).map((name) => (
            <button
              type="button"
              key={name}
              aria-pressed={language === name}
              onClick={() => setLanguage(name)}
            >
              {name}
            </button>
          ))}
        </span>
      </header>
      <Code text={text} what={`the ${language} code`} />
      <p class="hint">
        This page signs in with a token of the control plane; your code takes an{' '}
        <a href={href('keys')}>API key</a>.
      </p>
    </section>
  );
}
