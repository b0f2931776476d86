/**
 * Fills `{name}` placeholders. An id that is not a string, is empty, `.` or `..` would reach another endpoint and is
 * refused with a `TypeError`; everything else is percent-encoded.
 */
export function fillPath(template: string, params: Readonly<Record<string, unknown>> = {}): string {
  if (!template.includes('{')) return template;
  return template.replace(/\{([^{}]+)\}/g, (_, name: string) => encodeId(name, params[name]));
}

function encodeId(name: string, value: unknown): string {
  if (typeof value !== 'string') {
    throw new TypeError(`${name} must be a string, got ${value === null ? 'null' : typeof value}.`);
  }
  if (value === '' || value === '.' || value === '..') {
    throw new TypeError(`${name} must be an id, got ${JSON.stringify(value)}.`);
  }
  if (/\p{Surrogate}/u.test(value)) throw new TypeError(`${name} must be well-formed Unicode.`);
  return encodeURIComponent(value);
}

/** The names of the placeholders of a template, in order. */
export function placeholders(template: string): string[] {
  return Array.from(template.matchAll(/\{([^{}]+)\}/g), (match) => match[1] ?? '');
}
