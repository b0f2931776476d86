import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { href } from '../state/router.ts';
import { Block } from './copy.tsx';

/** What both clients throw. */
interface Failure {
  readonly status?: number;
  readonly code?: string;
  readonly message?: string;
  readonly problem?: {
    readonly title?: string;
    readonly detail?: string;
    readonly requestId?: string;
    readonly errors?: readonly { readonly pointer?: string; readonly message: string }[];
  };
}

/** Why a call failed, with a link to the request in the log. */
export function Problem({ error }: { error: unknown }) {
  if (error === undefined || error === null) return null;
  const { status, code, message, problem } = error as Failure;
  const request = problem?.requestId;
  return (
    <div role="alert" class="problem">
      <p>
        <strong>{problem?.title ?? 'The call failed'}</strong>{' '}
        <code>{[status || undefined, code].filter(Boolean).join(' ')}</code>
      </p>
      <p>{problem?.detail ?? message ?? 'The server gave no reason.'}</p>
      {request && <a href={href('traffic/requests', { text: request })}>Show the request</a>}
    </div>
  );
}

export function fieldError(error: unknown, name: string): string | undefined {
  const errors = (error as Failure | undefined)?.problem?.errors ?? [];
  return errors.find(({ pointer }) => pointer === `/${name}`)?.message;
}

interface Outcome {
  readonly busy: boolean;
  readonly error: unknown;
  /** Shows a sentence or a record that a call returned, or why it failed. */
  readonly shown: ComponentChildren;
  perform(call: () => Promise<unknown>): Promise<void>;
}

export function useOutcome(): Outcome {
  const [state, setState] = useState<{ error?: unknown; result?: unknown; busy?: boolean }>({});
  const { error, result, busy = false } = state;
  const shown = (
    <>
      <Problem error={error} />
      <div aria-live="polite">
        {typeof result === 'string' && <p>{result}</p>}
        {result !== undefined && typeof result !== 'string' && (
          <Block title="Result" value={result} />
        )}
      </div>
    </>
  );
  async function perform(call: () => Promise<unknown>): Promise<void> {
    setState({ busy: true });
    try {
      setState({ result: await call() });
    } catch (error) {
      setState({ error });
    }
  }
  return { busy, error, shown, perform };
}
