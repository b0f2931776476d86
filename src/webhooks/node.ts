export { type FastifyWebhooksOptions, fastifyWebhooks } from './node/fastify-webhooks.ts';
export type { AdaptedHandler } from './node/fetch-handler.ts';
export type { NodeRequest } from './node/node-body.ts';
export { type LambdaEvent, type LambdaResult, toLambdaHandler } from './node/to-lambda-handler.ts';
export { type NodeHandler, toNodeHandler } from './node/to-node-handler.ts';
