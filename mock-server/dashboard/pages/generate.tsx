import { useState } from 'preact/hooks';
import { useAction } from '../components/action.ts';
import { TextAreaField, TextField } from '../components/field.tsx';
import { type Output, Result } from '../components/generate-result.tsx';
import { Page } from '../components/page.tsx';
import { fieldError, Problem } from '../components/problem.tsx';
import { Snippets } from '../components/snippets.tsx';
import { type Call, requestBody } from '../logic/snippets.ts';
import { origin } from '../state/control.ts';
import { client } from '../state/session.ts';

const modes = [
  ['response', 'Response'],
  ['stream', 'Stream'],
  ['callback', 'Callback'],
] as const;

const models = ['content-1', 'content-1-mini'];

/** The form's settings as typed. */
interface Draft {
  readonly prompt: string;
  readonly model: string;
  readonly maxTokens: string;
  readonly seed: string;
  readonly mode: Call['mode'];
  readonly webhookUrl: string;
}

const initial: Draft = {
  prompt: 'A haiku about TCP',
  model: 'content-1',
  maxTokens: '',
  seed: '',
  mode: 'response',
  webhookUrl: 'http://localhost:3000/callbacks',
};

export function GeneratePage() {
  const [draft, setDraft] = useState(initial);
  const [output, setOutput] = useState<Output>();
  const [running, setRunning] = useState<AbortController>();
  const call = callOf(draft);
  const send = useAction(async () => {
    const abort = new AbortController();
    const started = performance.now();
    setRunning(abort);
    setOutput({ text: '' });
    try {
      const result = await perform(call, abort.signal, (text) => setOutput({ text }));
      setOutput({ ...result, tookMs: performance.now() - started });
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
          <CallFields
            draft={draft}
            set={(change) => setDraft((before) => ({ ...before, ...change }))}
            error={send.error}
          />
          <div class="row">
            <button type="submit" class="primary" disabled={send.busy}>
              Generate
            </button>
            {running && draft.mode === 'stream' && (
              <button type="button" onClick={() => running.abort()}>
                Stop
              </button>
            )}
            <span class="hint">Or press Ctrl+Enter or ⌘+Enter.</span>
          </div>
          <Problem error={send.error} />
          {output && !send.error && <Result output={output} busy={send.busy} />}
        </form>
        <Snippets call={call} />
      </div>
    </Page>
  );
}

function callOf({ maxTokens, seed, ...rest }: Draft): Call {
  return {
    ...rest,
    baseUrl: origin,
    maxTokens: maxTokens ? Number(maxTokens) : undefined,
    seed: seed ? Number(seed) : undefined,
  };
}

interface CallFieldsProps {
  readonly draft: Draft;
  readonly set: (change: Partial<Draft>) => void;
  readonly error: unknown;
}

function CallFields({ draft, set, error }: CallFieldsProps) {
  return (
    <>
      <TextAreaField
        label="Prompt"
        error={fieldError(error, '/prompt')}
        rows={4}
        submits
        value={draft.prompt}
        set={(prompt) => set({ prompt })}
      />
      <div class="fields">
        <TextField
          label="Model"
          error={fieldError(error, '/model')}
          list="models"
          value={draft.model}
          set={(model) => set({ model })}
        />
        <TextField
          label="Max tokens"
          error={fieldError(error, '/maxTokens')}
          type="number"
          placeholder="512"
          value={draft.maxTokens}
          set={(maxTokens) => set({ maxTokens })}
        />
        <TextField
          label="Seed"
          error={fieldError(error, '/seed')}
          type="number"
          placeholder="none"
          value={draft.seed}
          set={(seed) => set({ seed })}
        />
      </div>
      <datalist id="models">
        {models.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      <ModeSwitch mode={draft.mode} set={(mode) => set({ mode })} />
      {draft.mode === 'callback' && (
        <TextField
          label="Callback URL"
          hint="The result is posted here when it is ready. HTTPS; http://localhost works on this machine."
          error={fieldError(error, '/webhookUrl')}
          type="url"
          class="mono"
          value={draft.webhookUrl}
          set={(webhookUrl) => set({ webhookUrl })}
        />
      )}
    </>
  );
}

/** Sends the call in its mode. */
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
        Result as
      </span>
      <span>
        {/* biome-ignore lint/a11y/useSemanticElements: not every browser can lay out a fieldset inline */}
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
