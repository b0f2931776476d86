import { useState } from 'preact/hooks';
import { Card } from '../components/card.tsx';
import { Block } from '../components/copy.tsx';
import { Form, type Values } from '../components/form.tsx';
import { api } from '../state/session.ts';

type Client = Parameters<Parameters<typeof api>[0]>[0];
type GenerateRequest = Parameters<Client['content']['generate']>[0];
type Registration = Parameters<Client['webhooks']['create']>[0];

const requestOf = (operation: string) => REQUEST_SCHEMAS[operation] ?? {};

export function TryPage() {
  return (
    <>
      <h1 tabIndex={-1}>Try</h1>
      <div class="pair">
        <Generate />
        <div class="stack">
          <Card title="API key" about="The key is shown once, in the result.">
            <Form
              schema={requestOf('createApiKey')}
              initial={{ name: 'My key' }}
              submit="Create the key"
              run={(values) => api(({ apiKeys }) => apiKeys.create(values))}
            />
          </Card>
          <Card
            title="Registration"
            about="Its events are posted to the URL. The signing secret is shown once, in the result."
          >
            <Form
              schema={requestOf('createWebhook')}
              initial={{ event: 'data_updated', url: 'http://localhost:3000/webhooks' }}
              submit="Create the registration"
              run={(values) =>
                api(({ webhooks }) => webhooks.create(values as unknown as Registration))
              }
            />
          </Card>
        </div>
      </div>
    </>
  );
}

function Generate() {
  const [text, setText] = useState<string>();
  const run = ({ stream, ...values }: Values) =>
    api(async ({ content }) => {
      const request = values as unknown as GenerateRequest;
      setText(undefined);
      if (stream !== true) return content.generate(request);
      const streamed = content.stream(request);
      let received = '';
      for await (const delta of streamed) {
        received += delta;
        setText(received);
      }
      return streamed.final();
    });
  return (
    <Card
      title="Generate"
      about="The result comes with the response, as a stream, or to a callback URL."
    >
      <Form
        schema={requestOf('generateContent')}
        initial={{ prompt: 'A haiku about TCP' }}
        submit="Generate"
        run={run}
      />
      {text !== undefined && <Block title="Text so far" value={text} />}
    </Card>
  );
}
