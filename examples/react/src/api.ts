import type { ContentGen } from 'contentgen';
import createQueryClient from 'openapi-react-query';

/** Typed hooks over the client: its retries, limits and credential stay in force. */
export const createApi = (client: ContentGen) => createQueryClient(client.http);
export type Api = ReturnType<typeof createApi>;
