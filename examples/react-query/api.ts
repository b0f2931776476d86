import createQueryClient from 'openapi-react-query';
import type { ContentGen } from '../../src/index.ts';

/** Typed hooks over the client: its retries, limits and credential stay in force. */
export const createApi = (client: ContentGen) => createQueryClient(client.http);
export type Api = ReturnType<typeof createApi>;
