import { useEffect, useState } from 'preact/hooks';
import { type Step, signatureSteps } from '../logic/signature-steps.ts';
import { client } from '../state/session.ts';
import { Field } from './field.tsx';

interface SignatureProps {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly at: string;
  /** Result callbacks are signed with the project's own secret, which can be asked for. */
  readonly callback: boolean;
}

/** Verifies one attempt as a receiver would, and shows each step. */
export function Signature({ headers, body, at, callback }: SignatureProps) {
  const [secret, setSecret] = useState('');
  const [steps, setSteps] = useState<readonly Step[]>([]);
  const [failure, setFailure] = useState('');

  useEffect(() => {
    if (!callback) return;
    client.webhooks.getSigningSecret().then(
      (answer) => setSecret(answer.secret),
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
      setFailure('Browsers compute signatures on localhost and over HTTPS alone.');
      return;
    }
    signatureSteps({ headers, body, secret: wanted, at: Date.parse(at) }).then(
      (next) => current && setSteps(next),
      (error: Error) => current && setFailure(error.message),
    );
    return () => {
      current = false;
    };
  }, [secret, headers, body, at]);

  return (
    <div class="form">
      <Field
        label="Signing secret"
        hint={
          callback
            ? "The project's signing secret, read for you. It never leaves this page."
            : 'The secret that creating or rotating the registration showed. It never leaves this page.'
        }
      >
        <input
          class="mono"
          value={secret}
          placeholder="whsec_…"
          spellcheck={false}
          autocomplete="off"
          onInput={({ currentTarget }) => setSecret(currentTarget.value)}
        />
      </Field>
      {failure && <p class="hint">{failure}</p>}
      <ol class="steps">
        {steps.map((step) => (
          <li key={step.title} data-ok={step.ok}>
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
