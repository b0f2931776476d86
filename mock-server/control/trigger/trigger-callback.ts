import { generationDefaults } from '../../api/schema-errors.ts';
import type { Context } from '../../domain/context.ts';
import { acceptGeneration, checkGeneration } from '../../domain/generations.ts';
import { isObject, mustBe, type OptionRule, recordOf, text } from '../../domain/options.ts';
import type { CallbackEvent, Delivery, Generation } from '../../domain/records.ts';
import { finishGeneration, type Outcome, outcomeOf } from '../../domain/run-generation.ts';
import { assertArgument, assertArguments, ControlError, notFound, resultOf } from '../arguments.ts';

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
  /** The metadata of the generation. */
  readonly metadata?: Readonly<Record<string, string>>;
}

const FAILED = 'Failed to trigger the callback';
const MAX_TOKENS = 32_768;

const newGeneration = {
  webhookUrl: text,
  metadata: mustBe(
    'an object of strings',
    recordOf(
      () => true,
      (value) => typeof value === 'string',
    ),
  ),
};
const outcomes: { readonly [Event in CallbackEvent]: Readonly<Record<string, OptionRule>> } = {
  generation_completed: { result: text },
  generation_failed: { error: mustBe('an object', isObject) },
};

/** Ends a generation with the given outcome and returns its result callback. */
export function triggerCallback(
  context: Context,
  event: CallbackEvent,
  payload: CallbackInput,
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

function checkInput(event: CallbackEvent, payload: CallbackInput): void {
  const rules = { requestId: text, ...outcomes[event], ...newGeneration };
  assertArguments(FAILED, payload, rules, { whole: 'payload', unknown: 'unknown field' });
  const other = Object.keys(newGeneration).find((name) => Object.hasOwn(payload, name));
  assertArgument(
    payload.requestId === undefined || other === undefined,
    `${FAILED}: requestId names an existing generation, so its payload cannot set ${other}.`,
  );
  assertArgument(
    payload.requestId !== undefined || payload.webhookUrl !== undefined,
    `${FAILED}: pass webhookUrl, where to send it, or requestId, the id of a generation that is processing.`,
  );
}

/** Creates a generation that only this trigger ends. */
function accept(context: Context, organization: string, input: CallbackInput): Generation {
  const project = context.store.table('projects').find('organization', organization);
  if (!project) throw notFound('organization', organization);
  const { webhookUrl = '', metadata } = input;
  const generation = {
    ...{ webhookUrl, prompt: 'Triggered', delivery: 'callback' as const },
    ...{ model: generationDefaults().model, maxTokens: MAX_TOKENS },
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
  const { webhookUrl } = generation;
  assertArgument(webhookUrl !== undefined, `${FAILED}: the generation has no webhookUrl.`);
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
