import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  /** False if the dialog shows something that cannot be shown again: Escape then does not close it. */
  readonly dismissible?: boolean;
  readonly children: ComponentChildren;
}

/** The browser's modal dialog: it traps the focus, closes with Escape and restores the focus. */
export function Dialog({ title, onClose, dismissible = true, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useId();
  useEffect(() => {
    const opener = document.activeElement;
    dialog.current?.showModal();
    return () => {
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus();
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      aria-labelledby={heading}
      onCancel={(event) => {
        event.preventDefault();
        if (dismissible) onClose();
      }}
    >
      <div class="form">
        <h2 id={heading}>{title}</h2>
        {children}
      </div>
    </dialog>
  );
}
