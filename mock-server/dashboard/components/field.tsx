import { type ComponentChildren, cloneElement, type VNode } from 'preact';
import { useId } from 'preact/hooks';

interface Row {
  readonly label: string;
  readonly hint?: ComponentChildren;
  /** The service's error for this value. */
  readonly error?: string | undefined;
}

/** A labelled control. Screen readers announce its hint and error with it. */
export function Field({
  label,
  hint,
  error,
  children,
}: Row & {
  /** One input, select or textarea. */
  readonly children: VNode<object>;
}) {
  const id = useId();
  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ');
  return (
    <div class="field">
      <label htmlFor={id}>{label}</label>
      {cloneElement(children, {
        id,
        ...(described && { 'aria-describedby': described }),
        ...(error && { 'aria-invalid': true }),
      })}
      {hint && (
        <span class="hint" id={`${id}-hint`}>
          {hint}
        </span>
      )}
      {error && (
        <span class="error" id={`${id}-error`}>
          {error}
        </span>
      )}
    </div>
  );
}

interface Bound<Value> {
  readonly value: Value;
  readonly set: (value: Value) => void;
}

interface TextFieldProps extends Row, Bound<string> {
  readonly type?: 'text' | 'url' | 'number' | 'datetime-local';
  readonly class?: string;
  readonly placeholder?: string;
  readonly required?: boolean;
  readonly maxLength?: number;
  readonly min?: string;
  readonly max?: string;
  readonly step?: string;
  /** The id of a `<datalist>`. */
  readonly list?: string;
  /** False for keys and secrets: no spell checking, no autocompletion. */
  readonly assist?: boolean;
}

export function TextField(props: TextFieldProps) {
  const { label, hint, error, value, set, type = 'text', assist = true, ...rest } = props;
  return (
    <Field label={label} hint={hint} error={error}>
      <input
        {...rest}
        {...(!assist && { autocomplete: 'off', spellcheck: false })}
        type={type}
        value={value}
        onInput={({ currentTarget }) => set(currentTarget.value)}
      />
    </Field>
  );
}

interface TextAreaFieldProps extends Row, Bound<string> {
  readonly rows: number;
  readonly class?: string;
  /** False for code: no spell checking. */
  readonly assist?: boolean;
  /** Ctrl or ⌘ with Enter submits the form. */
  readonly submits?: boolean;
}

export function TextAreaField(props: TextAreaFieldProps) {
  const { label, hint, error, value, set, assist = true, submits = false, ...rest } = props;
  return (
    <Field label={label} hint={hint} error={error}>
      <textarea
        {...rest}
        spellcheck={assist}
        value={value}
        onInput={({ currentTarget }) => set(currentTarget.value)}
        onKeyDown={(event) => {
          if (submits && event.key === 'Enter' && (event.metaKey || event.ctrlKey))
            event.currentTarget.form?.requestSubmit();
        }}
      />
    </Field>
  );
}

interface SelectFieldProps<Value> extends Row, Bound<Value> {
  /** Each value with its displayed name. */
  readonly options: readonly (readonly [value: Value, name: string])[];
  readonly disabled?: boolean;
}

export function SelectField<Value extends string | number>(props: SelectFieldProps<Value>) {
  const { label, hint, error, value, set, options, disabled = false } = props;
  return (
    <Field label={label} hint={hint} error={error}>
      <select
        value={value}
        disabled={disabled}
        onChange={({ currentTarget }) => {
          const chosen = options[currentTarget.selectedIndex];
          if (chosen) set(chosen[0]);
        }}
      >
        {options.map(([option, name]) => (
          <option key={option} value={option}>
            {name}
          </option>
        ))}
      </select>
    </Field>
  );
}

/** Options whose names are their values. */
export const plainOptions = <Value extends string>(values: readonly Value[]) =>
  values.map((value) => [value, value] as const);

export function CheckField({ label, value, set }: Row & Bound<boolean>) {
  return (
    <label class="check">
      <input
        type="checkbox"
        checked={value}
        onChange={({ currentTarget }) => set(currentTarget.checked)}
      />
      {label}
    </label>
  );
}
