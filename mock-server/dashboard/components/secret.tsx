import type { ComponentChildren } from 'preact';
import { CopyButton } from './copy.tsx';
import { Dialog } from './dialog.tsx';

interface SecretProps {
  readonly title: string;
  readonly secret: string;
  readonly what: string;
  readonly children: ComponentChildren;
  readonly onClose: () => void;
}

/** Shows a secret that cannot be read again. Escape does not close it. */
export function SecretDialog({ title, secret, what, children, onClose }: SecretProps) {
  return (
    <Dialog title={title} onClose={onClose} dismissible={false}>
      <div class="notice warn">{children}</div>
      <div class="output mono">{secret}</div>
      <div class="row end">
        <CopyButton text={secret} what={what} label={`Copy ${what}`} />
        <button type="button" class="primary" onClick={onClose}>
          I have stored it
        </button>
      </div>
    </Dialog>
  );
}
