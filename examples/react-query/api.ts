import createQueryClient from 'openapi-react-query';
import type { ContentGen } from '../../src/index.ts';

/** Typed hooks over the client, with its retries, timeouts and credential. */
export const createApi = (client: ContentGen) => createQueryClient(client.http);
export type Api = ReturnType<typeof createApi>;
