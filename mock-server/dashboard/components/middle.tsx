const tailLength = 12;

/**
 * A text on one line, shortened in the middle if it does not fit, because both ends of a URL matter. `https://` is left
 * out.
 */
export function Middle({ text }: { text: string }) {
  const shown = text.replace(/^https:\/\//, '');
  const at = Math.max(0, shown.length - tailLength);
  return (
    <span class="middle" title={text}>
      <span>{shown.slice(0, at)}</span>
      <span>{shown.slice(at)}</span>
    </span>
  );
}
