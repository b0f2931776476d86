import { useId, useState } from 'preact/hooks';
import { words } from './format.tsx';
import { fieldError, useOutcome } from './outcome.tsx';

/** The part of JSON Schema that requests use. */
export interface Schema {
  readonly type?: string | readonly string[];
  readonly title?: string;
  readonly description?: string;
  readonly enum?: readonly string[];
  readonly format?: string;
  readonly default?: unknown;
  /** What can be chosen as well as typed. */
  readonly suggestions?: readonly string[];
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
  readonly schema: Schema;
  readonly initial?: Draft;
  readonly submit: string;
  /** Sends it. What it returns is shown. */
  readonly run: (values: Values) => Promise<unknown>;
}

export function Form({ schema, initial = {}, submit, run }: FormProps) {
  const [draft, setDraft] = useState<Draft>(initial);
  const { busy, error, shown, perform } = useOutcome();
  const { properties = {}, required = [] } = schema;
  const send = (event: Event) => {
    event.preventDefault();
    void perform(async () => run(valuesOf(properties, draft)));
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
            error={fieldError(error, name)}
            set={(value) => setDraft({ ...draft, [name]: value })}
          />
        ))}
      </div>
      <button type="submit" aria-busy={busy} disabled={busy}>
        {submit}
      </button>
      {shown}
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

function Field({ name, schema, required, value, error, set }: FieldProps) {
  const id = useId();
  const { suggestions, default: preset = '' } = schema;
  const common = {
    id,
    name,
    required,
    'aria-describedby': `${id}-hint`,
    'aria-invalid': error === undefined ? undefined : true,
    onInput: (event: { currentTarget: { value: string } }) => set(event.currentTarget.value),
  };
  return (
    <div class={isLong(schema) ? 'wide' : undefined}>
      <label for={id}>
        {schema.type === 'boolean' && (
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
      {schema.enum && (
        <select {...common} value={String(value)}>
          {!required && <option value="">{String(preset) || 'not set'}</option>}
          {schema.enum.map((option) => (
            <option key={option}>{option}</option>
          ))}
        </select>
      )}
      {isLong(schema) && <textarea {...common} rows={4} value={String(value)} spellcheck={false} />}
      {!schema.enum && !isLong(schema) && schema.type !== 'boolean' && (
        <input
          {...common}
          type={isNumber(schema) ? 'number' : 'text'}
          step="any"
          min={schema.minimum}
          max={schema.maximum}
          value={String(value)}
          placeholder={String(preset)}
          autocomplete="off"
          list={suggestions && `${id}-list`}
        />
      )}
      {suggestions && (
        <datalist id={`${id}-list`}>
          {suggestions.map((one) => (
            <option key={one} value={one} />
          ))}
        </datalist>
      )}
      <small id={`${id}-hint`}>{error ?? firstSentence(schema.description)}</small>
    </div>
  );
}

const LONG = 1000;

const isNumber = ({ type }: Schema) => type === 'number' || type === 'integer';

/** Text that is worth several lines, and JSON unless its values are suggested. */
function isLong({ type, enum: options, maxLength = 0, format, suggestions }: Schema): boolean {
  if (options || suggestions) return false;
  return type === 'object' || (type === 'string' && maxLength > LONG && format !== 'uri');
}

/** What is sent: only fields that were filled in. JSON that cannot be read throws. */
function valuesOf(properties: Readonly<Record<string, Schema>>, draft: Draft): Values {
  const given = Object.entries(properties).filter(([name]) => draft[name]);
  return Object.fromEntries(
    given.map(([name, schema]) => [name, parsed(schema, name, draft[name] ?? '')]),
  );
}

function parsed(schema: Schema, name: string, typed: string | boolean): unknown {
  if (isNumber(schema)) return Number(typed);
  if (schema.type !== 'object') return typed;
  try {
    return JSON.parse(String(typed));
  } catch {
    throw new Error(`${words(name)} is not JSON. Write it as {"name": "value"}.`);
  }
}

function firstSentence(text = ''): string {
  const plain = text.replaceAll('`', '').replace(/\s+/g, ' ').trim();
  const end = plain.search(/\.( |$)/);
  return end < 0 ? plain : plain.slice(0, end + 1);
}
