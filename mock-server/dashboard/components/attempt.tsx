import { useState } from 'preact/hooks';
import { duration } from '../logic/format.ts';
import type { SentDelivery } from '../state/control.ts';
import { Badge, HttpStatus } from './badge.tsx';
import { Code, prettyText } from './code.tsx';
import { Signature } from './signature.tsx';
import { FullTime } from './time.tsx';

const reasons: Readonly<Record<string, string>> = {
  timeout: 'No response within 15 s.',
  refused: 'Nothing listens at this address.',
  reset: 'The connection ended before the response did.',
  certificate: 'The certificate of the receiver is not trusted.',
  connection: 'The connection failed.',
  dns: 'The host name could not be resolved.',
  refused_address: 'The address is private or reserved, so nothing was sent.',
  status: 'Any response other than 2xx is a failure and is retried.',
};

interface AttemptProps {
  readonly number: number;
  readonly attempt: SentDelivery['attempts'][number];
  readonly body: string | undefined;
  readonly callback: boolean;
  readonly open: boolean;
}

/** One attempt: its time, response and headers, and a check of its signature. */
export function Attempt({ number, attempt, body, callback, open }: AttemptProps) {
  const [verifying, setVerifying] = useState(false);
  const { requestHeaders, headers, status, error, reason, response } = attempt;
  return (
    <details class="attempt" open={open}>
      <summary>
        <strong>Attempt {number}</strong>
        {status !== undefined && <HttpStatus status={status} />}
        {error !== undefined && error !== 'status' && (
          <Badge tone="bad">{error.replace('_', ' ')}</Badge>
        )}
        <span class="muted">{duration(attempt.durationMs)}</span>
      </summary>
      <div class="inside">
        <p class="small">
          <FullTime at={attempt.at} />
        </p>
        {error !== undefined && <p class="hint">{reason ?? reasons[error]}</p>}
        {requestHeaders && <Code text={headerLines(requestHeaders)} what="the headers sent" />}
        {headers && <Code text={headerLines(headers)} what="the response's headers" />}
        {response && <Code text={prettyText(response)} what="the response" />}
        {requestHeaders && body !== undefined && (
          <div class="row">
            <button
              type="button"
              aria-expanded={verifying}
              onClick={() => setVerifying(!verifying)}
            >
              Verify this signature
            </button>
          </div>
        )}
        {verifying && requestHeaders && body !== undefined && (
          <Signature headers={requestHeaders} body={body} at={attempt.at} callback={callback} />
        )}
      </div>
    </details>
  );
}

function headerLines(headers: Readonly<Record<string, string>>): string {
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');
}
