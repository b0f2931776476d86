import { href } from '../state/router.ts';

interface FieldProblem {
  readonly pointer?: string;
  readonly message: string;
}

/** What both clients throw. */
interface Failure {
  readonly status?: number;
  readonly code?: string;
  readonly message?: string;
  readonly requestId?: string;
  readonly problem?: {
    readonly title?: string;
    readonly detail?: string;
    readonly requestId?: string;
    readonly errors?: readonly FieldProblem[];
  };
}

/** Why a call failed, with a link to the request in the log. */
export function Problem({ error }: { error: unknown }) {
  if (error === undefined || error === null) return null;
  const { status, code, message, requestId, problem } = error as Failure;
  const request = problem?.requestId ?? requestId;
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

/** What is wrong with one field. */
export function fieldError(error: unknown, name: string): string | undefined {
  const errors = (error as Failure | undefined)?.problem?.errors ?? [];
  return errors.find(({ pointer }) => pointer === `/${name}`)?.message;
}
