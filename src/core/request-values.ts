import { kindOf } from '../options/values.ts';

/** The input, with each `Date` as an RFC 3339 time. @throws TypeError for an invalid one */
export function datesAsText(input: object): object {
  if (!Object.values(input).some(isDate)) return input;
  return Object.fromEntries(
    Object.entries(input).map(([name, value]) => {
      if (!isDate(value)) return [name, value];
      if (!Number.isNaN(value.getTime())) return [name, value.toISOString()];
      throw new TypeError(`${name} is an invalid Date. Pass a valid one, or an RFC 3339 time.`);
    }),
  );
}

/** The query of a request. @throws TypeError for an object other than a `Date`: a URL cannot hold one */
export function queryAsText(query: object): object {
  const texts = datesAsText(query);
  for (const [name, value] of Object.entries(texts)) {
    if (typeof value !== 'object' || value === null) continue;
    throw new TypeError(
      `${name} must be a string, a number, a boolean or a Date; received ${kindOf(value)}.`,
    );
  }
  return texts;
}

/** A `Date` of another realm is one too. */
const isDate = (value: unknown): value is Date =>
  Object.prototype.toString.call(value) === '[object Date]';
