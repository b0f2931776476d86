export type { AdaptedHandler } from './dispatch.ts';
export { type FastifyWebhooksOptions, fastifyWebhooks } from './fastify-webhooks.ts';
export type { KeptBody, NodeRequest } from './node-body.ts';
export { type LambdaEvent, type LambdaResult, toLambdaHandler } from './to-lambda-handler.ts';
export {
  type FastifyReply,
  type FastifyRequest,
  type NodeHandler,
  toNodeHandler,
} from './to-node-handler.ts';
