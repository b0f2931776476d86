import { CopyButton } from './copy.tsx';

interface CodeProps {
  readonly text: string;
  /** Names the text for assistive technology and in the toast. */
  readonly what: string;
  /** The text to copy, if it differs from the one shown. */
  readonly copied?: string;
}

/** Preformatted text that can be scrolled by keyboard and copied. */
export function Code({ text, what, copied = text }: CodeProps) {
  return (
    <div class="code">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region has to be reachable by keyboard */}
      <section tabIndex={0} aria-label={what}>
        <pre>{text}</pre>
      </section>
      <CopyButton text={copied} what={what} />
    </div>
  );
}

export function Json({ value, what }: { value: unknown; what: string }) {
  return <Code text={JSON.stringify(value, null, 2)} what={what} />;
}

/** Indents JSON; returns any other text unchanged. */
export function prettyText(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
