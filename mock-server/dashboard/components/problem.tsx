import { href } from '../router.ts';
import { role } from '../state/session.ts';
import type { FieldError, Problem as ProblemDocument } from '../state/types.ts';

interface Failure {
  readonly status?: number;
  readonly code?: string;
  readonly message?: string;
  readonly requestId?: string;
  readonly problem?: Partial<ProblemDocument>;
}

/** What went wrong, as the service said it, and where to go on. */
export function Problem({ error }: { error: unknown }) {
  if (error === undefined || error === null) return null;
  const { status, code, message, requestId, problem } = error as Failure;
  const name = problem?.code ?? code;
  return (
    <div class="notice bad" role="alert">
      <p>
        <strong>{problem?.title ?? 'That did not work'}</strong>{' '}
        <span class="mono muted">{[status, name].filter(Boolean).join(' ')}</span>
      </p>
      <p>{problem?.detail ?? message ?? 'The server gave no reason.'}</p>
      {name === 'insufficient_permissions' && role.value === 'member' && (
        <p class="muted">
          You act as a member, so this is what a member gets. Switch to Admin at the top to go on.
        </p>
      )}
      {several(problem).map((fault) => (
        <p key={fault.pointer ?? fault.parameter} class="small">
          <code>{fault.pointer ?? fault.parameter}</code> {fault.message}
        </p>
      ))}
      {(problem?.requestId ?? requestId) && (
        <p class="small">
          <a href={href('requests', undefined, { find: problem?.requestId ?? requestId ?? '' })}>
            Show this request
          </a>
        </p>
      )}
    </div>
  );
}

/** The message for one field of a 422, by JSON Pointer. */
export function faultAt(error: unknown, pointer: string): string | undefined {
  const errors = (error as Failure | undefined)?.problem?.errors ?? [];
  return errors.find((fault) => fault.pointer === pointer)?.message;
}

/** One fault is in the detail already. */
function several(problem: Partial<ProblemDocument> | undefined): readonly FieldError[] {
  const errors = problem?.errors ?? [];
  return errors.length > 1 ? errors : [];
}
