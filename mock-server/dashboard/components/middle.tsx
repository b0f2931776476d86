const tailLength = 12;

/** A text on one line, cut in the middle where it does not fit: both ends of a URL matter. `https:` goes without saying. */
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
