import type { APIGatewayProxyHandler, APIGatewayProxyHandlerV2 } from 'aws-lambda';
import { createWebhookHandler } from 'contentgen/webhooks';
import { toLambdaHandler } from 'contentgen/webhooks/node';

const main = toLambdaHandler(
  createWebhookHandler({ secret: 'whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' }),
);

// Only compiled: the declarations of AWS fit, of both payload formats.
export const rest = (async (event) => main(event)) satisfies APIGatewayProxyHandler;
export const http = (async (event) => main(event)) satisfies APIGatewayProxyHandlerV2;
