import { useId, useState } from 'preact/hooks';
import { Block } from './copy.tsx';
import { fieldError, Problem } from './problem.tsx';

/** The part of JSON Schema that requests use. */
export interface Schema {
  readonly type?: string | readonly string[];
  readonly title?: string;
  readonly description?: string;
  readonly enum?: readonly string[];
  readonly format?: string;
  readonly default?: unknown;
  readonly examples?: readonly unknown[];
  readonly required?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
}

/** What was typed or chosen, by field. */
export type Draft = Readonly<Record<string, string | boolean>>;

export type Values = Readonly<Record<string, unknown>>;

interface FormProps {
  /** The names of the fields, in order; all of the schema by default. A function, if they depend on what is typed. */
  readonly schema: Schema | ((draft: Draft) => Schema);
  readonly initial?: Draft;
  readonly submit: string;
  /** Sends it. What it returns is shown. */
  readonly run: (values: Values) => Promise<unknown>;
  readonly onDraft?: (values: Values) => void;
}

/** A form for the request of an operation or for the arguments of a call. */
export function Form({ schema, initial = {}, submit, run, onDraft }: FormProps) {
  const [draft, setDraft] = useState<Draft>(initial);
  const [state, setState] = useState<{ error?: unknown; result?: unknown; busy?: boolean }>({});
  const { properties = {}, required = [] } = typeof schema === 'function' ? schema(draft) : schema;
  const change = (name: string, value: string | boolean) => {
    const next = { ...draft, [name]: value };
    setDraft(next);
    onDraft?.(readable(properties, next));
  };
  const send = async (event: Event) => {
    event.preventDefault();
    setState({ busy: true });
    try {
      setState({ result: await run(valuesOf(properties, draft)) });
    } catch (error) {
      setState({ error });
    }
  };
  return (
    <form onSubmit={send}>
      <div class="fields">
        {Object.entries(properties).map(([name, field]) => (
          <Field
            key={name}
            name={name}
            schema={field}
            required={required.includes(name)}
            value={draft[name] ?? ''}
            error={fieldError(state.error, name)}
            set={(value) => change(name, value)}
          />
        ))}
      </div>
      <button type="submit" aria-busy={state.busy} disabled={state.busy}>
        {submit}
      </button>
      <Problem error={state.error} />
      <div aria-live="polite">
        {state.result !== undefined && <Block title="Result" value={state.result} />}
      </div>
    </form>
  );
}

interface FieldProps {
  readonly name: string;
  readonly schema: Schema;
  readonly required: boolean;
  readonly value: string | boolean;
  readonly error: string | undefined;
  readonly set: (value: string | boolean) => void;
}

const LONG = 1000;

function Field({ name, schema, required, value, error, set }: FieldProps) {
  const id = useId();
  const kind = kindOf(schema);
  const common = {
    id,
    name,
    required,
    'aria-describedby': `${id}-hint`,
    'aria-invalid': error === undefined ? undefined : true,
    onInput: (event: { currentTarget: { value: string } }) => set(event.currentTarget.value),
  };
  const text = String(value);
  const placeholder = String(schema.default ?? '');
  return (
    <div class={kind === 'long' || kind === 'object' ? 'wide' : undefined}>
      <label for={id}>
        {kind === 'boolean' && (
          <input
            id={id}
            type="checkbox"
            checked={value === true}
            aria-describedby={`${id}-hint`}
            onChange={(event) => set(event.currentTarget.checked)}
          />
        )}
        {schema.title ?? words(name)}
      </label>
      {kind === 'choice' && (
        <select {...common} value={text}>
          {!required && <option value="">{placeholder || 'not set'}</option>}
          {schema.enum?.map((option) => (
            <option key={option}>{option}</option>
          ))}
        </select>
      )}
      {(kind === 'long' || kind === 'object') && (
        <textarea {...common} rows={kind === 'long' ? 4 : 3} value={text} spellcheck={false} />
      )}
      {kind === 'text' && (
        <input {...common} type="text" value={text} placeholder={placeholder} autocomplete="off" />
      )}
      {kind === 'number' && (
        <input
          {...common}
          type="number"
          step="any"
          min={schema.minimum}
          max={schema.maximum}
          value={text}
          placeholder={placeholder}
        />
      )}
      <small id={`${id}-hint`}>{error ?? firstSentence(schema.description)}</small>
    </div>
  );
}

type Kind = 'boolean' | 'choice' | 'long' | 'object' | 'number' | 'text';

function kindOf({ type, enum: options, maxLength = 0, format }: Schema): Kind {
  if (options) return 'choice';
  if (type === 'boolean' || type === 'object') return type;
  if (type === 'number' || type === 'integer') return 'number';
  return maxLength > LONG && format !== 'uri' ? 'long' : 'text';
}

/** What is sent: only fields that were filled in. JSON that cannot be read throws. */
function valuesOf(properties: Readonly<Record<string, Schema>>, draft: Draft): Values {
  const given = Object.keys(properties).filter((name) => draft[name]);
  return Object.fromEntries(
    given.map((name) => [name, parsed(properties[name] ?? {}, name, draft[name] ?? '')]),
  );
}

function parsed(schema: Schema, name: string, typed: string | boolean): unknown {
  const kind = kindOf(schema);
  if (kind === 'number') return Number(typed);
  if (kind !== 'object') return typed;
  try {
    return JSON.parse(String(typed));
  } catch {
    throw new Error(`${words(name)} is not JSON. Write it as {"name": "value"}.`);
  }
}

/** For a preview: without a field that is not JSON yet. */
function readable(properties: Readonly<Record<string, Schema>>, draft: Draft): Values {
  try {
    return valuesOf(properties, draft);
  } catch {
    return {};
  }
}

/** `maxTokens` → `Max tokens`. */
function words(name: string): string {
  const spaced = name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return (spaced.charAt(0).toUpperCase() + spaced.slice(1)).replace(/\burl\b/i, 'URL');
}

function firstSentence(text = ''): string {
  const plain = text.replaceAll('`', '').replace(/\s+/g, ' ').trim();
  const end = plain.search(/\.( |$)/);
  return end < 0 ? plain : plain.slice(0, end + 1);
}
