import { ContentGen } from 'contentgen';

/** For all requests. Reads its variables at the first call, so that a build needs none. */
export const client = new ContentGen();
