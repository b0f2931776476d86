import { generationDefaults, schemaErrors } from '../../api/schema-errors.ts';
import type { components } from '../../contract.ts';
import type { Context } from '../../domain/context.ts';
import { acceptGeneration, checkGeneration } from '../../domain/generations.ts';
import { checkedLater, defined, type OptionRule, text } from '../../domain/options.ts';
import type { CallbackEvent, Delivery, Generation } from '../../domain/records.ts';
import { finishGeneration, type Outcome, outcomeOf } from '../../domain/run-generation.ts';
import { assertArgument, assertArguments, notFound, resultOf } from '../arguments.ts';

/** Some fields of a schema of the contract, none of which is required. */
export type Some<Schema, Name extends keyof Schema> = { readonly [Key in Name]?: Schema[Key] };

type Wire = components['schemas'];

/** The generation that ends, and where its result callback goes. */
export type CallbackInput = Some<Wire['Generation'], 'webhookUrl' | 'result' | 'metadata'> & {
  /** Why it failed, for `generation_failed`. */
  readonly error?: Some<Wire['GenerationError'], 'code' | 'message'>;
};

const FAILED = 'Failed to trigger the callback';
const MAX_TOKENS = 32_768;

const errorRules = { code: text, message: text };
const outcomes: { readonly [Event in CallbackEvent]: Readonly<Record<string, OptionRule>> } = {
  generation_completed: { result: text },
  generation_failed: { error: checkedLater },
};

/** Ends a new generation with the given outcome and returns its result callback. */
export function triggerCallback(
  context: Context,
  event: CallbackEvent,
  payload: CallbackInput,
  organization: string,
): Delivery[] {
  const { webhookUrl, metadata, error = {} } = payload;
  const rules = { ...outcomes[event], webhookUrl: checkedLater, metadata: checkedLater };
  assertArguments(FAILED, payload, rules, { whole: 'payload', unknown: 'unknown field' });
  const unknown = 'unknown field of error';
  assertArguments(FAILED, error, errorRules, { whole: 'error', unknown });
  assertArgument(webhookUrl !== undefined, `${FAILED}: pass webhookUrl, where to send it.`);
  const fields = defined({ prompt: '-', webhookUrl, metadata });
  const [invalid] = schemaErrors('GenerateRequest', fields);
  assertArgument(!invalid, `${FAILED}: not valid at ${invalid?.pointer}: ${invalid?.message}`);
  const generation = accept(context, organization, payload);
  const { id } = generation;
  context.scheduler.cancel(id);
  finishGeneration(context, id, outcomeFor(context, event, generation, payload));
  return context.store.table('deliveries').oldest({ index: 'request', key: id });
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
