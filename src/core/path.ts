/**
 * Fills the `{name}` placeholders of a path with percent-encoded ids.
 * @throws TypeError for an id that is not a string, or is empty, `.` or `..`: it would reach another endpoint
 */
export function fillPath(template: string, params: Readonly<Record<string, unknown>> = {}): string {
  return template.replace(/\{(.+?)\}/g, (_, name: string) => {
    const value = params[name];
    if (typeof value !== 'string' || /^\.{0,2}$|\p{Surrogate}/u.test(value)) {
      throw new TypeError(`${name} must be an id: a string other than "", "." and "..".`);
    }
    return encodeURIComponent(value);
  });
}

/** The placeholders of a path, sorted and joined. */
export function placeholdersOf(template: string): string {
  return (template.match(/\{.+?\}/g) ?? []).sort().join();
}
