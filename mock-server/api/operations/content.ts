import type { components, ProblemCode } from '../../contract.ts';
import { acceptGeneration, checkGeneration, type NewGeneration } from '../../domain/generations.ts';
import { onAbort } from '../../domain/listeners.ts';
import type { Generation } from '../../domain/records.ts';
import { isRejection, type Rejection, reject, rejectField } from '../../domain/rejection.ts';
import { cancelGeneration, finishGeneration, runGeneration } from '../../domain/run-generation.ts';
import { endNumberOf, followGeneration, openStream } from '../event-stream.ts';
import { findOwned, listPage } from '../find-owned.ts';
import { generationOf, responseOf } from '../serialize.ts';
import {
  type Handler,
  type OperationCall,
  type Outcome,
  respond,
  type WithDefaults,
} from './operation.ts';

type GenerateBody = WithDefaults<
  components['schemas']['GenerateRequest'],
  'model' | 'maxTokens' | 'stream'
>;

function inputOf(
  { prompt, model, maxTokens, temperature, seed, metadata, stream, webhookUrl }: GenerateBody,
  apiRequestId: string,
): NewGeneration {
  return {
    prompt,
    model,
    maxTokens,
    delivery: webhookUrl !== undefined ? 'callback' : stream ? 'stream' : 'response',
    temperature,
    seed,
    metadata,
    webhookUrl,
    apiRequestId,
  };
}

const generate: Handler<GenerateBody> = (call) => {
  const { context, principal, body, deployment } = call;
  const urlField = deployment?.requestField('webhookUrl') ?? 'webhookUrl';
  if (body.stream && body.webhookUrl !== undefined) {
    const message = `stream and ${urlField} cannot be combined. Send only one of them.`;
    return rejectField('/stream', 'conflict', message);
  }
  const input = inputOf(body, call.loggedRequestId());
  const rejected = checkGeneration(context, input);
  if (rejected) return rejected;

  const accept = (): Generation | Rejection => {
    const accepted = acceptGeneration(context, principal, input);
    if (call.hold && !isRejection(accepted)) context.holds.attach(accepted.id, call.hold);
    return accepted;
  };
  if (input.delivery === 'callback') {
    return call.commit(() => {
      const accepted = accept();
      return isRejection(accepted) ? accepted : responseOf(accepted);
    });
  }
  const accepted = call.write(accept);
  if (isRejection(accepted)) return accepted;
  if (input.delivery === 'stream') {
    return { status: 200, stream: openStream(call, accepted) };
  }
  return generateNow(call, accepted);
};

/** Generates the text before responding. If the caller leaves, the generation is canceled, as a stream's is. */
async function generateNow(call: OperationCall, accepted: Generation): Promise<Outcome> {
  const { context, abandoned } = call;
  const { id } = accepted;
  const { lifetime } = context.scheduler;
  const generations = context.store.table('generations');
  const running = context.scheduler.task(id, (run) => runGeneration(context, accepted, run));
  const stopListening = onAbort(abandoned?.() ?? [], () => {
    const row = lifetime.aborted ? undefined : generations.get(id);
    if (row) call.write(() => cancelGeneration(context, row));
  });
  let outcome: Awaited<typeof running> | undefined;
  try {
    outcome = await running;
  } catch (error) {
    if (generations.get(id)?.status !== 'canceled') throw error;
  } finally {
    stopListening();
  }
  return call.commit(() => {
    const done = outcome && finishGeneration(context, id, outcome);
    if (done?.status === 'completed') return responseOf(done);
    if (done?.status === 'failed') {
      const { code = 'generation_failed', message = 'The model failed to generate a result.' } =
        done.error ?? {};
      return reject(code as ProblemCode, message, { generationId: id });
    }
    return reject('invalid_state', 'The generation was canceled while it was processing.');
  });
}

const list: Handler = (call) => {
  const { project } = call.principal;
  const { status } = call.query;
  const where =
    status === undefined
      ? { index: 'project', key: project }
      : { index: 'projectStatus', key: `${project}:${status}` };
  const table = call.context.store.table('generations');
  return listPage(call, table, { ...where, scope: `generations:${project}` }, generationOf);
};

const find = (call: OperationCall): Generation | Rejection =>
  findOwned(call, 'generations', call.params['requestId']);

const get: Handler = (call) => {
  const row = find(call);
  if (isRejection(row)) return row;
  const { context, deployment } = call;
  if (!call.wantsEvents()) return { status: 200, body: generationOf(row) };
  const lastEventId = call.lastEventId();
  // An `EventSource` connects again after the end, until it gets this status.
  if (row.status !== 'processing' && lastEventId >= endNumberOf(row)) return { status: 204 };
  return {
    status: 200,
    stream: { body: followGeneration(context, deployment, row.id, lastEventId) },
  };
};

const cancel: Handler = (call) =>
  call.commit(() => {
    const row = find(call);
    if (isRejection(row)) return row;
    return respond(cancelGeneration(call.context, row), 200, generationOf);
  });

export const contentHandlers = {
  generateContent: generate,
  listGenerations: list,
  getGeneration: get,
  cancelGeneration: cancel,
};
