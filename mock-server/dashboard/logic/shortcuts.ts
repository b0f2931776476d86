/** The key of a shortcut, or undefined if a field, a dialog or the browser handles the key. */
export function shortcutOf(event: KeyboardEvent): string | undefined {
  const { target, key, ctrlKey, metaKey, altKey, defaultPrevented } = event;
  if (ctrlKey || metaKey || altKey || defaultPrevented) return undefined;
  if (target instanceof Element && target.closest('input, select, textarea, dialog')) {
    return undefined;
  }
  return document.querySelector('dialog[open]') ? undefined : key;
}
