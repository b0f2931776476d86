import { useState } from 'preact/hooks';
import { Block } from '../components/copy.tsx';
import { type Draft, Form, type Schema, type Values } from '../components/form.tsx';
import { Parts } from '../components/parts.tsx';
import { serverNow } from '../state/clock.ts';
import { control, origin } from '../state/control.ts';
import { route } from '../state/router.ts';
import { api } from '../state/session.ts';

interface Attempt {
  readonly part: string;
  readonly name: string;
  readonly about: string;
  readonly schema: Schema;
  readonly initial?: Draft;
  readonly submit: string;
  /** Where it is sent; absent for a control call. */
  readonly path?: string;
  readonly run: (values: Values, show: (text: string) => void) => Promise<unknown>;
}

type Client = Parameters<Parameters<typeof api>[0]>[0];
type GenerateRequest = Parameters<Client['content']['generate']>[0];
type Registration = Parameters<Client['webhooks']['create']>[0];

const attempts: readonly Attempt[] = [
  {
    part: 'generate',
    name: 'Generate',
    about: 'The result comes with the response, as a stream, or to a callback URL.',
    schema: REQUEST_SCHEMAS['generateContent'] ?? {},
    initial: { prompt: 'A haiku about TCP' },
    submit: 'Generate',
    path: '/api/ai/content/generate',
    run: ({ stream, ...values }, show) =>
      api(async ({ content }) => {
        const request = values as unknown as GenerateRequest;
        if (stream !== true) return content.generate(request);
        const streamed = content.stream(request);
        let text = '';
        for await (const delta of streamed) {
          text += delta;
          show(text);
        }
        return streamed.final();
      }),
  },
  {
    part: 'key',
    name: 'API key',
    about: 'The key is shown once, in the result.',
    schema: REQUEST_SCHEMAS['createApiKey'] ?? {},
    initial: { name: 'My key' },
    submit: 'Create the key',
    path: '/api/auth/api-keys',
    run: (values) => api(({ apiKeys }) => apiKeys.create(values)),
  },
  {
    part: 'registration',
    name: 'Registration',
    about: 'Its events are posted to the URL. The signing secret is shown once, in the result.',
    schema: REQUEST_SCHEMAS['createWebhook'] ?? {},
    initial: { event: 'data_updated', url: 'http://localhost:3000/webhooks' },
    submit: 'Create the registration',
    path: '/api/webhooks',
    run: (values) => api(({ webhooks }) => webhooks.create(values as unknown as Registration)),
  },
  {
    part: 'organization',
    name: 'Organization',
    about: 'An isolated customer with keys and data of its own. The keys are shown once.',
    schema: {
      properties: { quota: { type: 'integer', minimum: 0, description: 'Tokens per month.' } },
    },
    submit: 'Create the organization',
    run: (values) => control.createOrganization(values),
  },
  {
    part: 'signature',
    name: 'Signature',
    about: 'Checks what a receiver got, at the server’s time, and says why it does not verify.',
    schema: {
      required: ['headers', 'body', 'secret'],
      properties: {
        headers: { type: 'object', description: 'As JSON: an attempt shows those it sent.' },
        body: { type: 'string', maxLength: 100_000, description: 'Byte for byte.' },
        secret: { type: 'string', description: 'Of the project or of the registration.' },
      },
    },
    submit: 'Verify',
    async run({ headers, body, secret }) {
      const { verifyWebhook } = await import('../../../src/webhooks/index.ts');
      return verifyWebhook({
        headers: headers as Readonly<Record<string, string>>,
        body: String(body),
        secret: String(secret),
        now: () => serverNow.peek(),
      });
    },
  },
];

/** Calls by hand. */
export function TryPage() {
  const chosen = attempts.find(({ part }) => part === route.value.part) ?? attempts[0];
  if (!chosen) return null;
  return (
    <>
      <Parts
        title="Try"
        current={`try/${chosen.part}`}
        parts={attempts.map(({ part, name }) => [`try/${part}`, name])}
      />
      <Attempt key={chosen.part} attempt={chosen} />
    </>
  );
}

function Attempt({ attempt }: { attempt: Attempt }) {
  const { name, about, schema, initial = {}, submit, path, run } = attempt;
  const [values, setValues] = useState<Values>(initial);
  const [text, setText] = useState<string>();
  return (
    <div class="pair">
      <article>
        <header>
          <h2>{name}</h2>
          <p>{about}</p>
        </header>
        <Form
          schema={schema}
          initial={initial}
          submit={submit}
          onDraft={setValues}
          run={(sent) => {
            setText(undefined);
            return run(sent, setText);
          }}
        />
      </article>
      <div>
        {text !== undefined && <Block title="Text so far" value={text} />}
        {path && <Block title="As curl" value={curlOf(path, values)} />}
      </div>
    </div>
  );
}

/** The call for a POSIX shell. */
function curlOf(path: string, values: Values): string {
  const body = JSON.stringify(values).replaceAll("'", "'\\''");
  return `curl${values['stream'] ? ' -N' : ''} '${origin}${path}' \\
  -H "X-API-Key: $CONTENTGEN_API_KEY" \\
  -H 'Content-Type: application/json' \\
  -d '${body}'`;
}
