import { CopyButton } from './copy.tsx';

/** Preformatted text that can be scrolled by keyboard and copied. */
export function Code({ text, what }: { text: string; what: string }) {
  return (
    <div class="code">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region has to be reachable by keyboard */}
      <section tabIndex={0} aria-label={what}>
        <pre>{text}</pre>
      </section>
      <CopyButton text={text} what={what} />
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
