import { useState } from 'preact/hooks';
import { useAction } from '../components/action.ts';
import { Field } from '../components/field.tsx';
import { type Output, Result } from '../components/generate-result.tsx';
import { Page } from '../components/page.tsx';
import { faultAt, Problem } from '../components/problem.tsx';
import { Snippets } from '../components/snippets.tsx';
import { type Call, requestBody } from '../logic/snippets.ts';
import { origin } from '../state/control.ts';
import { client } from '../state/session.ts';

const modes = [
  ['answer', 'Answer'],
  ['stream', 'Stream'],
  ['callback', 'Callback'],
] as const;

const models = ['content-1', 'content-1-mini'];

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
