import { generationDefaults } from '../../api/schema-errors.ts';
import type { Context } from '../../domain/context.ts';
import { acceptGeneration, checkGeneration } from '../../domain/generations.ts';
import { isObject } from '../../domain/options.ts';
import type { CallbackEvent, Delivery, Generation } from '../../domain/records.ts';
import { finishGeneration, type Outcome, outcomeOf } from '../../domain/run-generation.ts';
import { assertArgument, ControlError, notFound, resultOf } from '../arguments.ts';

/** The generation whose result callback to trigger: one that is processing, or a new one for `webhookUrl`. */
export interface CallbackInput {
  /** Ends this generation now. */
  readonly requestId?: string;
  /** Where to send the callback of a new generation. */
  readonly webhookUrl?: string;
  /** The text, for `generation_completed`. */
  readonly result?: string;
  /** Why it failed, for `generation_failed`. */
  readonly error?: {
    /** The stable code of the failure. */
    readonly code?: string;
    /** What happened, in human-readable form. */
    readonly message?: string;
  };
  /** The prompt of the generation. */
  readonly prompt?: string;
  /** The model of the generation. */
  readonly model?: string;
  /** The metadata of the generation. */
  readonly metadata?: Readonly<Record<string, string>>;
}

const NEW_FIELDS = ['webhookUrl', 'prompt', 'model', 'metadata'];
const RESULT_FIELD = { generation_completed: 'result', generation_failed: 'error' } as const;
const MAX_TOKENS = 32_768;

function fail(message: string): never {
  throw new ControlError('validation_failed', `Failed to trigger the callback: ${message}`);
}

/** Ends a generation with the given outcome and returns its result callback. */
export function triggerCallback(
  context: Context,
  event: CallbackEvent,
  payload: unknown,
  organization: string,
): Delivery[] {
  checkInput(event, payload);
  const generation =
    payload.requestId === undefined
      ? accept(context, organization, payload)
      : findProcessing(context, organization, payload.requestId);
  context.scheduler.cancel(generation.id);
  finishGeneration(context, generation.id, outcomeFor(context, event, generation, payload));
  const { id } = generation;
  return context.store
    .table('deliveries')
    .oldest({ index: 'request', key: id, limit: Number.POSITIVE_INFINITY });
}

function checkInput(event: CallbackEvent, payload: unknown): asserts payload is CallbackInput {
  if (!isObject(payload)) fail('the payload must be an object.');
  const { requestId, webhookUrl, metadata = {} } = payload;
  const known = ['requestId', RESULT_FIELD[event], ...NEW_FIELDS];
  for (const [name, value] of Object.entries(payload)) {
    if (!known.includes(name)) fail(`its payload cannot set ${name}.`);
    const expected = name === 'error' || name === 'metadata' ? 'object' : 'string';
    const valid =
      expected === 'object' ? isObject(value) : typeof value === 'string' && value !== '';
    if (!valid)
      fail(
        `payload.${name} must be ${expected === 'object' ? 'an object' : 'a non-empty string'}.`,
      );
  }
  if (!Object.values(metadata as object).every((value) => typeof value === 'string')) {
    fail('the values of payload.metadata must be strings.');
  }
  const other = NEW_FIELDS.find((name) => Object.hasOwn(payload, name));
  if (requestId !== undefined && other !== undefined) {
    fail(`requestId names an existing generation, so its payload cannot set ${other}.`);
  }
  if (requestId === undefined && webhookUrl === undefined) {
    fail(
      'pass webhookUrl, where to send it, or requestId, the id of a generation that is processing.',
    );
  }
}

/** Creates a generation that only this trigger ends. */
function accept(context: Context, organization: string, input: CallbackInput): Generation {
  const project = context.store.table('projects').find('organization', organization);
  if (!project) throw notFound('organization', organization);
  const {
    webhookUrl = '',
    prompt = 'Triggered',
    model = generationDefaults().model,
    metadata,
  } = input;
  const generation = {
    webhookUrl,
    prompt,
    model,
    maxTokens: MAX_TOKENS,
    delivery: 'callback' as const,
    ...(metadata && { metadata }),
  };
  resultOf(checkGeneration(context, generation) ?? generation);
  return resultOf(acceptGeneration(context, { organization, project: project.id }, generation));
}

function findProcessing(context: Context, organization: string, id: string): Generation {
  const generation = context.store.table('generations').get(id);
  if (generation?.organization !== organization) throw notFound('generation', id);
  if (generation.status !== 'processing') {
    const detail = `The generation is ${generation.status}; only one that is processing can be ended.`;
    throw new ControlError('invalid_state', detail);
  }
  assertArgument(
    generation.webhookUrl !== undefined,
    'Failed to trigger the callback: the generation has no webhookUrl.',
  );
  return generation;
}

function outcomeFor(
  context: Context,
  event: CallbackEvent,
  generation: Generation,
  { result = 'A triggered result.', error = {} }: CallbackInput,
): Outcome {
  if (event === 'generation_completed') return outcomeOf(context, generation, result);
  const { code = 'generation_failed', message = 'The model failed to generate a result.' } = error;
  return { status: 'failed', error: { code, message } };
}
