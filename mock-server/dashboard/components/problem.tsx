import type { FieldError, Problem as ProblemDocument } from '../../../src/index.ts';
import { href } from '../router.ts';
import { role } from '../state/session.ts';

interface Failure {
  readonly status?: number;
  readonly code?: string;
  readonly message?: string;
  readonly operation?: string;
  readonly requestId?: string;
  readonly problem?: Partial<ProblemDocument>;
}

/** The problem document of a failed call, with a link to the request. */
export function Problem({ error }: { error: unknown }) {
  if (error === undefined || error === null) return null;
  const { status, code, message, operation, requestId, problem } = error as Failure;
  if (code === 'operation_absent')
    return <p class="muted">The deployment that this server plays has no {operation}.</p>;
  const name = problem?.code ?? code;
  return (
    <div class="notice bad" role="alert">
      <p>
        <strong>{problem?.title ?? 'The call failed'}</strong>{' '}
        <span class="mono muted">{[status, name].filter(Boolean).join(' ')}</span>
      </p>
      <p>{problem?.detail ?? message ?? 'The server gave no reason.'}</p>
      {name === 'insufficient_permissions' && role.value === 'member' && (
        <p class="muted">
          You are acting as a member, so you get the response a member gets. Switch to Admin at the
          top to continue.
        </p>
      )}
      {several(problem).map((entry) => (
        <p key={entry.pointer ?? entry.parameter} class="small">
          <code>{entry.pointer ?? entry.parameter}</code> {entry.message}
        </p>
      ))}
      {(problem?.requestId ?? requestId) && (
        <p class="small">
          <a
            href={href('requests', undefined, {
              text: problem?.requestId ?? requestId ?? '',
              own: 'yes',
            })}
          >
            Show this request
          </a>
        </p>
      )}
    </div>
  );
}

/** The message of a 422 for one field, by JSON Pointer. */
export function fieldError(error: unknown, pointer: string): string | undefined {
  const errors = (error as Failure | undefined)?.problem?.errors ?? [];
  return errors.find((entry) => entry.pointer === pointer)?.message;
}

/** Returns the errors if there are several; a single one is already in the detail. */
function several(problem: Partial<ProblemDocument> | undefined): readonly FieldError[] {
  const errors = problem?.errors ?? [];
  return errors.length > 1 ? errors : [];
}
