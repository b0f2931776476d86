/** A JSON value as YAML, in blocks; text is quoted as in JSON, which YAML 1.2 reads the same. */
export function yamlText(value: unknown, indent = ''): string {
  if (typeof value !== 'object' || value === null) return `${JSON.stringify(value)}\n`;
  const isList = Array.isArray(value);
  const rows = Object.entries(value).filter(([, member]) => member !== undefined);
  if (rows.length === 0) return isList ? '[]\n' : '{}\n';
  return rows
    .map(([name, member]) => {
      const isNested =
        typeof member === 'object' && member !== null && Object.keys(member).length > 0;
      const lead = isList
        ? '-'
        : `${/^[A-Za-z][\w-]*$/.test(name) && !isReserved.test(name) ? name : JSON.stringify(name)}:`;
      return `${indent}${lead}${isNested ? '\n' : ' '}${yamlText(member, `${indent}  `)}`;
    })
    .join('');
}

/** Names that YAML could read as something else. */
const isReserved = /^(true|false|null|yes|no|on|off|y|n)$/i;
