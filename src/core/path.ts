import { refuse } from '../errors.ts';

/**
 * Fills `{name}` placeholders. An id that is not a string, is empty, `.` or `..` would reach another endpoint and is
 * refused with a `TypeError`; everything else is percent-encoded.
 */
export function fillPath(template: string, params: Readonly<Record<string, unknown>> = {}): string {
  return template.replace(/\{(.+?)\}/g, (_, name: string) => {
    const value = params[name];
    if (typeof value !== 'string' || /^\.{0,2}$|\p{Surrogate}/u.test(value)) {
      return refuse(`${name} must be an id, not empty, "." or "..".`);
    }
    return encodeURIComponent(value);
  });
}

/** The names of the placeholders of a template, sorted and joined. */
export function placeholders(template: string): string {
  return (template.match(/\{.+?\}/g) ?? []).sort().join();
}
