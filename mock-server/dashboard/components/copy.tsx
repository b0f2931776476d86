import { useState } from 'preact/hooks';

/** Copies `text`; `what` names it for assistive technology. */
export function CopyButton({ text, what, label = 'Copy' }: CopyProps) {
  const [said, setSaid] = useState<string>();
  const copy = async () => {
    // Browsers have no clipboard API on plain HTTP, except on localhost.
    const done = await navigator.clipboard?.writeText(text).then(
      () => true,
      () => false,
    );
    setSaid(done ? 'Copied' : 'Select and copy it');
    setTimeout(() => setSaid(undefined), 2000);
  };
  return (
    <button type="button" class="small" onClick={copy} aria-live="polite">
      {said ?? label}
      <span class="hidden"> {what}</span>
    </button>
  );
}

interface CopyProps {
  readonly text: string;
  readonly what: string;
  readonly label?: string;
}

export function Code({ value, what }: { value: string; what: string }) {
  return (
    <span class="code">
      <code>{value}</code>
      <CopyButton text={value} what={what} />
    </span>
  );
}

/** A text or a record as indented JSON. Strings are shown as they are, and copied byte for byte. */
export function Block({ value, title }: { value: unknown; title: string }) {
  const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2);
  return (
    <section class="block">
      <header>
        <h3>{title}</h3>
        <CopyButton text={text} what={title} />
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a keyboard must be able to scroll it */}
      <pre tabIndex={0}>{typeof value === 'string' ? indented(value) : text}</pre>
    </section>
  );
}

function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
