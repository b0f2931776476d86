/** The rows of `test.each` with their titles: `%s`, `%i`, `%o`, `%#` of a list, `$name` of an object. */
export function titles(name, rows) {
  // Rows are spread where all of them are lists, as vitest does.
  const lists = rows.every(Array.isArray);
  return rows.map((row, index) => ({
    title: title(name, Array.isArray(row) ? row : [row], index),
    args: lists ? row : [row],
  }));
}

function title(name, args, index) {
  let next = 0;
  const printed = name.replace(/%[sdifjoO#%]/g, (mark) => {
    if (mark === '%%') return '%';
    if (mark === '%#') return String(index);
    if (next >= args.length) return mark;
    const value = args[next++];
    return mark === '%s' ? text(value) : shown(value);
  });
  const [first] = args;
  if (first === null || typeof first !== 'object') return printed;
  return printed.replace(/\$(\w+(?:\.\w+)*)/g, (mark, path) => {
    const value = path.split('.').reduce((found, key) => found?.[key], first);
    return value === undefined ? mark : text(value);
  });
}

const text = (value) => (typeof value === 'string' ? value : shown(value));

function shown(value) {
  if (typeof value === 'function') return `[Function ${value.name}]`;
  if (typeof value !== 'object' || value === null) return String(value);
  return JSON.stringify(value) ?? String(value);
}
