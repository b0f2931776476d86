import { dataWrapper } from './data-wrapper.ts';
import { htmlErrors } from './html-errors.ts';
import { kebabCase } from './kebab-case.ts';
import { numbered } from './numbered.ts';
import { rateLimited } from './rate-limited.ts';
import { snakeCase } from './snake-case.ts';
import { stripeSigned } from './stripe-signed.ts';

/** Seven readings of the interface specification, each a service of its own. */
export const dialects = {
  snakeCase,
  dataWrapper,
  stripeSigned,
  numbered,
  rateLimited,
  htmlErrors,
  kebabCase,
};
