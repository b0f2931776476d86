import { Problem } from './problem.tsx';

interface FormEndProps {
  /** The work that submitting starts. */
  readonly action: { readonly busy: boolean; readonly error: unknown };
  /** Says what submitting does. */
  readonly submit: string;
  readonly onClose: () => void;
}

/** How a form in a dialog ends: what went wrong, the way out and the way on. */
export function FormEnd({ action, submit, onClose }: FormEndProps) {
  return (
    <>
      <Problem error={action.error} />
      <div class="row end">
        <button type="button" onClick={onClose}>
          Cancel
        </button>
        <button type="submit" class="primary" disabled={action.busy}>
          {submit}
        </button>
      </div>
    </>
  );
}
