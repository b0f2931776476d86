import type { components } from '../../contract.ts';
import {
  acceptGeneration,
  cancelGeneration,
  checkGeneration,
  finishGeneration,
  type NewGeneration,
} from '../../domain/generations.ts';
import type { Generation } from '../../domain/records.ts';
import { isRejection, type Rejection, reject, rejectField } from '../../domain/rejection.ts';
import { runGeneration } from '../../domain/run-generation.ts';
import { openStream } from '../event-stream.ts';
import { ownRow } from '../find-owned.ts';
import { generationOf, pageAnswer } from '../serialize.ts';
import type { Answer, CallContext, Handler } from './answer.ts';

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

const generate: Handler<Wire['GenerateRequest']> = ({ body }, call) => {
  const { context, principal, webhookUrlField } = call;
  if (body.stream && body.webhookUrl !== undefined) {
    return rejectField('/stream', 'conflict', `stream and ${webhookUrlField} exclude one another.`);
  }
  const input = inputOf(body);
  const rejected = checkGeneration(context, input, webhookUrlField);
  if (rejected) return rejected;

  if (input.delivery === 'callback') {
    return call.commit(() => {
      const accepted = acceptGeneration(context, principal, input);
      if (isRejection(accepted)) return accepted;
      return { status: 202, body: { status: 'processing', requestId: accepted.id } };
    });
  }
  const accepted = call.write(() => acceptGeneration(context, principal, input));
  if (isRejection(accepted)) return accepted;
  if (input.delivery === 'stream') {
    return { status: 200, stream: openStream(call, accepted) };
  }
  return answerWith(call, accepted);
};

const shown = ({ webhookUrlField }: CallContext, row: Generation): object =>
  generationOf(row, webhookUrlField);

/** Waits for the text; a generation that was canceled meanwhile has no answer to give. */
async function answerWith(call: CallContext, accepted: Generation): Promise<Answer | Rejection> {
  const { context } = call;
  const { id } = accepted;
  const outcome = await context.scheduler
    .task(id, (signal) => runGeneration(context, accepted, signal))
    .catch((error) => {
      if (context.store.table('generations').get(id)?.status === 'canceled') return undefined;
      throw error;
    });
  return call.commit(() => {
    const done = outcome ? finishGeneration(context, id, outcome) : undefined;
    if (done?.status === 'completed') return { status: 200, body: shown(call, done) };
    if (done?.status === 'failed') {
      const message = done.error?.message ?? 'The model failed to generate.';
      return reject('generation_failed', message, { generationId: id });
    }
    return reject('invalid_state', 'The generation was canceled while it was processing.');
  });
}

const list: Handler = (input, call) => {
  const { project } = call.principal;
  const { status } = input.query;
  const where =
    status === undefined
      ? { index: 'project', key: project }
      : { index: 'projectStatus', key: `${project}:${status}` };
  const table = call.context.store.table('generations');
  return pageAnswer(call, input, table, { ...where, scope: `generations:${project}` }, (row) =>
    shown(call, row),
  );
};

const find = (call: CallContext, id: string | undefined): Generation | Rejection =>
  ownRow(call, 'generations', id ?? '', 'generation');

const get: Handler = ({ params }, call) => {
  const row = find(call, params['requestId']);
  return isRejection(row) ? row : { status: 200, body: shown(call, row) };
};

const cancel: Handler = ({ params }, call) =>
  call.commit(() => {
    const row = find(call, params['requestId']);
    if (isRejection(row)) return row;
    const canceled = cancelGeneration(call.context, row);
    return isRejection(canceled) ? canceled : { status: 200, body: shown(call, canceled) };
  });

export const contentHandlers = {
  generateContent: generate,
  listGenerations: list,
  getGeneration: get,
  cancelGeneration: cancel,
};
