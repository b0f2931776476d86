import type { components } from '../../contract.ts';
import {
  acceptGeneration,
  cancelGeneration,
  checkGeneration,
  finishGeneration,
  type NewGeneration,
} from '../../domain/generations.ts';
import type { Generation } from '../../domain/records.ts';
import { isRefusal, type Refusal, refuse, refuseField } from '../../domain/rejection.ts';
import { runGeneration } from '../../domain/run-generation.ts';
import { openStream } from '../event-stream.ts';
import { ownRow } from '../find-owned.ts';
import { generationOf, pageAnswer } from '../serialize.ts';
import type { Answer, Context, Handler } from './answer.ts';

type Wire = components['schemas'];

const DEFAULT_MODEL = 'content-1';
const DEFAULT_MAX_TOKENS = 512;

function inputOf({ stream, ...body }: Wire['GenerateRequest']): NewGeneration {
  const { prompt, model, maxTokens, temperature, seed, metadata, webhookUrl } = body;
  const answer = stream ? 'stream' : 'answer';
  return {
    prompt,
    model: model ?? DEFAULT_MODEL,
    maxTokens: maxTokens ?? DEFAULT_MAX_TOKENS,
    delivery: webhookUrl === undefined ? answer : 'callback',
    ...(temperature !== undefined && { temperature }),
    ...(seed !== undefined && { seed }),
    ...(metadata !== undefined && { metadata }),
    ...(webhookUrl !== undefined && { webhookUrl }),
  };
}

const generate: Handler<Wire['GenerateRequest']> = ({ body }, context) => {
  const { world, principal, webhookUrlField } = context;
  if (body.stream && body.webhookUrl !== undefined) {
    return refuseField('/stream', 'conflict', `stream and ${webhookUrlField} exclude one another.`);
  }
  const input = inputOf(body);
  const refused = checkGeneration(world, input, webhookUrlField);
  if (refused) return refused;

  if (input.delivery === 'callback') {
    return context.commit(() => {
      const accepted = acceptGeneration(world, principal, input);
      if (isRefusal(accepted)) return accepted;
      return { status: 202, body: { status: 'processing', requestId: accepted.id } };
    });
  }
  const accepted = context.write(() => acceptGeneration(world, principal, input));
  if (isRefusal(accepted)) return accepted;
  if (input.delivery === 'stream') {
    return { status: 200, stream: openStream(context, accepted) };
  }
  return answerWith(context, accepted);
};

const shown = ({ webhookUrlField }: Context, row: Generation): object =>
  generationOf(row, webhookUrlField);

/** Waits for the text; a generation that was canceled meanwhile has no answer to give. */
async function answerWith(context: Context, accepted: Generation): Promise<Answer | Refusal> {
  const { world } = context;
  const { id } = accepted;
  const outcome = await world.scheduler
    .task(id, (signal) => runGeneration(world, accepted, signal))
    .catch((error) => {
      if (world.store.table('generations').get(id)?.status === 'canceled') return undefined;
      throw error;
    });
  return context.commit(() => {
    const done = outcome ? finishGeneration(world, id, outcome) : undefined;
    if (done?.status === 'completed') return { status: 200, body: shown(context, done) };
    if (done?.status === 'failed') {
      const message = done.error?.message ?? 'The model failed to generate.';
      return refuse('generation_failed', message, { generationId: id });
    }
    return refuse('invalid_state', 'The generation was canceled while it was processing.');
  });
}

const list: Handler = (call, context) => {
  const { project } = context.principal;
  const { status } = call.query;
  const where =
    status === undefined
      ? { index: 'project', key: project }
      : { index: 'projectStatus', key: `${project}:${status}` };
  const table = context.world.store.table('generations');
  return pageAnswer(context, call, table, { ...where, scope: `generations:${project}` }, (row) =>
    shown(context, row),
  );
};

const find = (context: Context, id: string | undefined): Generation | Refusal =>
  ownRow(context, 'generations', id ?? '', 'generation');

const get: Handler = ({ params }, context) => {
  const row = find(context, params['requestId']);
  return isRefusal(row) ? row : { status: 200, body: shown(context, row) };
};

const cancel: Handler = ({ params }, context) =>
  context.commit(() => {
    const row = find(context, params['requestId']);
    if (isRefusal(row)) return row;
    const canceled = cancelGeneration(context.world, row);
    return isRefusal(canceled) ? canceled : { status: 200, body: shown(context, canceled) };
  });

export const contentHandlers = {
  generateContent: generate,
  listGenerations: list,
  getGeneration: get,
  cancelGeneration: cancel,
};
