interface FindFieldProps {
  /** Says what is looked at. */
  readonly hint: string;
  readonly size: number;
  readonly value: string;
  readonly set: (value: string) => void;
}

/** Filters the rows of a table in place. */
export function FindField({ hint, size, value, set }: FindFieldProps) {
  return (
    <label>
      <span class="hidden">Find</span>
      <input
        type="search"
        placeholder={hint}
        size={size}
        value={value}
        onInput={({ currentTarget }) => set(currentTarget.value)}
      />
    </label>
  );
}
