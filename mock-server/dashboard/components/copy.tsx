import { useState } from 'preact/hooks';
import { showToast } from '../state/toasts.ts';

/** Copies `text`; `what` names it for assistive technology. */
export function CopyButton({ text, what, label }: { text: string; what: string; label?: string }) {
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    if (!(await copyText(text))) return;
    setCopied(true);
    showToast(`Copied ${what}.`);
    setTimeout(() => setCopied(false), 1500);
  };
  return (
    <button
      type="button"
      class={label ? '' : 'copy'}
      aria-label={label ? undefined : `Copy ${what}`}
      onClick={copy}
    >
      {copied ? 'Copied' : (label ?? 'Copy')}
    </button>
  );
}

/** Shows a toast if it fails: browsers have no clipboard API on plain HTTP, except on localhost. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    showToast('Failed to copy. Select the text and copy it manually.');
    return false;
  }
}

/** An identifier in monospace with a copy button. */
export function Id({ value, what = 'the identifier' }: { value: string; what?: string }) {
  return (
    <span class="id">
      <code title={value}>{value}</code>
      <CopyButton text={value} what={what} />
    </span>
  );
}

/** Saves a text as a file, byte for byte as UTF-8. */
export function download(name: string, text: string, type = 'application/json'): void {
  const address = URL.createObjectURL(new Blob([text], { type }));
  const link = Object.assign(document.createElement('a'), { href: address, download: name });
  link.click();
  // Some browsers read the address some time after the click.
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
