import type { ComponentChildren } from 'preact';
import { useAction } from './action.ts';
import { Dialog } from './dialog.tsx';
import { Problem } from './problem.tsx';

interface ConfirmProps {
  readonly title: string;
  readonly verb: string;
  readonly danger?: boolean;
  readonly children: ComponentChildren;
  readonly onClose: () => void;
  /** Resolves to the text of a toast, if any. */
  readonly work: () => Promise<string | undefined>;
}

/** Asks for confirmation, then runs `work` and shows its error if it fails. */
export function Confirm({ title, verb, danger, children, onClose, work }: ConfirmProps) {
  const action = useAction(work);
  return (
    <Dialog title={title} onClose={onClose}>
      <div class="form">{children}</div>
      <Problem error={action.error} />
      <div class="row end">
        <button type="button" onClick={onClose}>
          Cancel
        </button>
        <button
          type="button"
          class={danger ? 'primary danger' : 'primary'}
          disabled={action.busy}
          onClick={async () => {
            if (await action.run()) onClose();
          }}
        >
          {verb}
        </button>
      </div>
    </Dialog>
  );
}
