import { useState } from 'preact/hooks';
import { codeOf, headerLines, reasonOf } from '../logic/delivery.ts';
import { duration } from '../logic/format.ts';
import type { SentDelivery } from '../state/control.ts';
import { Badge, HttpStatus } from './badge.tsx';
import { Code, prettyText } from './code.tsx';
import { Signature } from './signature.tsx';
import { FullTime, Time } from './time.tsx';

interface AttemptProps {
  readonly number: number;
  readonly attempt: SentDelivery['attempts'][number];
  readonly body: string;
  readonly callback: boolean;
  readonly open: boolean;
}

/** One attempt: the response, then the headers of both directions, and a check of the signature. */
export function Attempt({ number, attempt, body, callback, open }: AttemptProps) {
  const { requestHeaders, headers, status, error, response, copies } = attempt;
  return (
    <details class="attempt" open={open}>
      <summary>
        <strong>Attempt {number}</strong>
        {status === undefined ? (
          <Badge tone="bad">{codeOf(attempt)}</Badge>
        ) : (
          <HttpStatus status={status} />
        )}
        <span class="muted">{duration(attempt.durationMs)}</span>
        <span class="muted push">
          <Time at={attempt.at} />
        </span>
      </summary>
      <div class="inside">
        {error !== undefined && <p class="small">{reasonOf(attempt)}</p>}
        {copies && <p class="small">Sent again by a fault: {copies.map(codeOf).join(', ')}</p>}
        {response && <Code text={prettyText(response)} what="the response" />}
        {headers && <Headers title="Response headers" what="the response headers" of={headers} />}
        {requestHeaders && (
          <Headers title="Request headers" what="the request headers" of={requestHeaders} />
        )}
        {requestHeaders && Object.keys(requestHeaders).length > 0 && (
          <Verification headers={requestHeaders} body={body} at={attempt.at} callback={callback} />
        )}
      </div>
    </details>
  );
}

interface HeadersProps {
  readonly title: string;
  readonly what: string;
  readonly of: Readonly<Record<string, string>>;
}

function Headers({ title, what, of }: HeadersProps) {
  return (
    <details class="fold">
      <summary>
        {title} <span class="muted">{Object.keys(of).length}</span>
      </summary>
      <Code text={headerLines(of)} what={what} />
    </details>
  );
}

type VerificationProps = Parameters<typeof Signature>[0];

function Verification(props: VerificationProps) {
  const [verifying, setVerifying] = useState(false);
  return (
    <>
      <div class="row small">
        <FullTime at={props.at} />
        <button
          class="push"
          type="button"
          aria-expanded={verifying}
          onClick={() => setVerifying(!verifying)}
        >
          Verify this signature
        </button>
      </div>
      {verifying && <Signature {...props} />}
    </>
  );
}
