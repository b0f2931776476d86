import type { ContentGen } from 'contentgen';
import createQueryClient from 'openapi-react-query';

/** Typed hooks for the client, with its retries, timeouts and credential. */
export const createApi = (client: ContentGen) => createQueryClient(client.http);
export type Api = ReturnType<typeof createApi>;
