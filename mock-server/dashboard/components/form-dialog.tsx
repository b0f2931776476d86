import type { ComponentChildren } from 'preact';
import type { Action } from './action.ts';
import { Dialog } from './dialog.tsx';
import { Problem } from './problem.tsx';

interface FormDialogProps {
  readonly title: string;
  /** Runs when the form is submitted. */
  readonly action: Action<[]>;
  /** The label of the submit button. */
  readonly submit: string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

/** A form in a dialog: its fields, then the error, Cancel and the submit button. */
export function FormDialog({ title, action, submit, onClose, children }: FormDialogProps) {
  return (
    <Dialog title={title} onClose={onClose}>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          void action.run();
        }}
      >
        {children}
        <Problem error={action.error} />
        <div class="row end">
          <button type="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" class="primary" disabled={action.busy}>
            {submit}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
