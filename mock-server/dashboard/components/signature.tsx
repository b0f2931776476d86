import { useEffect, useState } from 'preact/hooks';
import type { SignatureInput, Step } from '../logic/signature-steps.ts';
import { client } from '../state/session.ts';
import { TextField } from './field.tsx';

interface SignatureProps {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly at: string;
  /** Result callbacks are signed with the project's signing secret, which this page can read. */
  readonly callback: boolean;
}

/** Loads the verifier on first use. */
async function verify(input: SignatureInput): Promise<readonly Step[]> {
  const { signatureSteps } = await import('../logic/signature-steps.ts');
  return signatureSteps(input);
}

/** Verifies one attempt as a receiver would, step by step. */
export function Signature({ headers, body, at, callback }: SignatureProps) {
  const [secret, setSecret] = useState('');
  const [steps, setSteps] = useState<readonly Step[]>([]);
  const [failure, setFailure] = useState('');

  useEffect(() => {
    if (!callback) return;
    client.webhooks.getSigningSecret().then(
      (signing) => setSecret(signing.secret),
      () => {},
    );
  }, [callback]);

  useEffect(() => {
    let current = true;
    const wanted = secret.trim();
    setFailure('');
    if (wanted === '') {
      setSteps([]);
      return;
    }
    if (!isSecureContext) {
      setFailure('Browsers compute signatures only on localhost and over HTTPS.');
      return;
    }
    verify({ headers, body, secret: wanted, at: Date.parse(at) }).then(
      (next) => current && setSteps(next),
      (error: Error) => current && setFailure(error.message),
    );
    return () => {
      current = false;
    };
  }, [secret, headers, body, at]);

  return (
    <div class="form">
      <TextField
        label="Signing secret"
        hint={
          callback
            ? "The project's signing secret, filled in for you. It never leaves this page."
            : 'The secret shown when the webhook was created or last rotated. It never leaves this page.'
        }
        class="mono"
        placeholder="whsec_…"
        assist={false}
        value={secret}
        set={setSecret}
      />
      {failure && <p class="hint">{failure}</p>}
      <ol class="steps">
        {steps.map((step) => (
          <li key={step.title} data-tone={step.ok ? 'good' : 'bad'}>
            <span class="title">
              {step.title} <span class="muted">{step.ok ? 'ok' : 'fails'}</span>
            </span>
            <div>
              <StepValue step={step} />
              {step.note && <p class="hint">{step.note}</p>}
            </div>
          </li>
        ))}
      </ol>
    </div>
  );
}

function StepValue({ step: { value, mark } }: { step: Step }) {
  const at = mark === undefined ? -1 : value.indexOf(mark);
  if (mark === undefined || at < 0) return <pre class="value">{value}</pre>;
  return (
    <pre class="value">
      {value.slice(0, at)}
      <mark>{mark}</mark>
      {value.slice(at + mark.length)}
    </pre>
  );
}
