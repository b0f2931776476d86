import { isObject } from '../../domain/options.ts';
import { escapeHtml, json, page, phrase, prose, table } from './reference-html.ts';

type Node = { readonly [key: string]: unknown };

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

const entries = (value: unknown): [string, Node][] =>
  isObject(value)
    ? Object.entries(value).filter((entry): entry is [string, Node] => isObject(entry[1]))
    : [];
const list = (value: unknown): Node[] => (Array.isArray(value) ? value.filter(isObject) : []);

interface Reader {
  /** Follows a `$ref`. */
  follow(node: Node): Node;
  /** The type of a schema in a few words, with a link if the schema has a name. */
  typeOf(schema: Node): string;
  /** One table row per field, including those of `allOf` members. */
  fieldsOf(schema: Node): string[][];
}

function nameOf(node: Node): string | undefined {
  const ref = node['$ref'];
  return typeof ref === 'string' ? ref.slice(ref.lastIndexOf('/') + 1) : undefined;
}

function boundsOf(schema: Node): string {
  const parts: string[] = [];
  const range = (low: unknown, high: unknown, unit: string) => {
    if (low !== undefined && high !== undefined) parts.push(`${low} to ${high}${unit}`);
    else if (low !== undefined) parts.push(`at least ${low}${unit}`);
    else if (high !== undefined) parts.push(`at most ${high}${unit}`);
  };
  range(schema['minimum'], schema['maximum'], '');
  range(schema['minLength'], schema['maxLength'], ' characters');
  range(schema['minItems'], schema['maxItems'], ' items');
  if (schema['default'] !== undefined) parts.push(`default ${JSON.stringify(schema['default'])}`);
  return escapeHtml(parts.join(', '));
}

function readerOf(document: Node): Reader {
  function follow(node: Node): Node {
    const ref = node['$ref'];
    if (typeof ref !== 'string') return node;
    let found: unknown = document;
    for (const part of ref.slice(2).split('/')) found = isObject(found) ? found[part] : undefined;
    return isObject(found) ? found : {};
  }

  function typeOf(schema: Node): string {
    const name = nameOf(schema);
    if (name !== undefined) return `<a href="#schema-${escapeHtml(name)}">${escapeHtml(name)}</a>`;
    if ('const' in schema) return `<code>${escapeHtml(JSON.stringify(schema['const']))}</code>`;
    if (Array.isArray(schema['enum'])) {
      return schema['enum'].map((value) => `<code>${escapeHtml(value)}</code>`).join(' | ');
    }
    for (const key of ['oneOf', 'anyOf', 'allOf']) {
      if (key in schema)
        return list(schema[key])
          .map(typeOf)
          .join(key === 'allOf' ? ' &amp; ' : ' | ');
    }
    if (schema['type'] === 'array' && isObject(schema['items'])) {
      return `array of ${typeOf(schema['items'])}`;
    }
    const type = [schema['type'] ?? 'any'].flat().join(' | ');
    const format = schema['format'] ? ` (${schema['format']})` : '';
    return escapeHtml(type + format);
  }

  function fieldsOf(schema: Node): string[][] {
    const whole = follow(schema);
    const required = Array.isArray(whole['required']) ? whole['required'] : [];
    const own = entries(whole['properties']).map(([name, field]) => [
      `<code>${escapeHtml(name)}</code>${required.includes(name) ? ' <strong>required</strong>' : ''}`,
      typeOf(field),
      [boundsOf(field), phrase(field['description'] ?? follow(field)['description'])]
        .filter(Boolean)
        .join('. '),
    ]);
    return [...list(whole['allOf']).flatMap(fieldsOf), ...own];
  }

  return { follow, typeOf, fieldsOf };
}

function fieldTable(reader: Reader, schema: Node): string {
  return table(['Field', 'Type', 'Notes'], reader.fieldsOf(schema));
}

function contentOf(reader: Reader, holder: Node): string {
  return entries(holder['content'])
    .map(([type, media]) => {
      const schema = isObject(media['schema']) ? media['schema'] : {};
      const [example] = entries(media['examples']).map(([, node]) => reader.follow(node)['value']);
      const shown =
        example === undefined
          ? ''
          : `<details><summary>Example</summary>${json(example)}</details>`;
      return `<p class="note">${escapeHtml(type)}: ${reader.typeOf(schema)}</p>${fieldTable(reader, schema)}${shown}`;
    })
    .join('\n');
}

function parametersOf(reader: Reader, holder: Node, shared: Node): string {
  const rows = [...list(shared['parameters']), ...list(holder['parameters'])].map((node) => {
    const parameter = reader.follow(node);
    const schema = isObject(parameter['schema']) ? parameter['schema'] : {};
    const notes = [boundsOf(schema), phrase(parameter['description'])].filter(Boolean).join('. ');
    const required = parameter['required'] ? ' <strong>required</strong>' : '';
    return [
      `<code>${escapeHtml(parameter['name'])}</code>${required}`,
      escapeHtml(parameter['in']),
      reader.typeOf(schema),
      notes,
    ];
  });
  return table(['Parameter', 'In', 'Type', 'Notes'], rows);
}

function operationSection(
  reader: Reader,
  facts: { id: string; method: string; path: string; operation: Node; shared: Node },
): string {
  const { id, method, path, operation, shared } = facts;
  const body = isObject(operation['requestBody'])
    ? reader.follow(operation['requestBody'])
    : undefined;
  const responses = entries(operation['responses']).map(([status, node]) => {
    const response = reader.follow(node);
    const schemas = entries(response['content']).map(([type, media]) =>
      isObject(media['schema'])
        ? `${reader.typeOf(media['schema'])} <span class="note">${escapeHtml(type)}</span>`
        : '',
    );
    return [
      `<code>${escapeHtml(status)}</code>`,
      schemas.join('<br>'),
      phrase(response['description']),
    ];
  });
  const role = operation['x-role']
    ? `<p class="note">Role: ${escapeHtml(operation['x-role'])}</p>`
    : '';
  const deprecated = operation['deprecated']
    ? '<p class="note">Deprecated, but still supported.</p>'
    : '';
  return `<section><h3 id="${escapeHtml(id)}">${escapeHtml(operation['summary'] ?? id)}</h3>
<p><code><span class="method">${method.toUpperCase()}</span> ${escapeHtml(path)}</code> <span class="note">${escapeHtml(id)}</span></p>
${role}${deprecated}${prose(operation['description'])}
${parametersOf(reader, operation, shared)}
${body ? `<h4>Body${body['required'] ? '' : ' (optional)'}</h4>${contentOf(reader, body)}` : ''}
<h4>Responses</h4>${table(['Status', 'Body', 'Meaning'], responses)}</section>`;
}

/** The page that this one links back to. */
interface Home {
  readonly href: string;
  readonly title: string;
}

/** A readable reference of an OpenAPI 3.1 document, as one static page. */
export function referencePage(document: Node, home: Home): string {
  const reader = readerOf(document);
  const info = isObject(document['info']) ? document['info'] : {};
  const groups = new Map<string, { links: string; sections: string }>();

  function add(group: string, id: string, title: unknown, section: string): void {
    const { links, sections } = groups.get(group) ?? { links: '', sections: '' };
    const link = `<li><a href="#${escapeHtml(id)}">${escapeHtml(title)}</a></li>`;
    groups.set(group, { links: links + link, sections: `${sections}\n${section}` });
  }

  for (const [kind, items] of [
    ['', document['paths']],
    ['Events', document['webhooks']],
  ] as const) {
    for (const [path, shared] of entries(items)) {
      for (const [method, operation] of entries(shared)) {
        if (!METHODS.includes(method)) continue;
        const id = String(operation['operationId'] ?? `${method}-${path}`);
        const group = kind || String([operation['tags']].flat()[0] ?? 'Operations');
        const facts = { id, method, path, operation, shared };
        add(group, id, operation['summary'] ?? id, operationSection(reader, facts));
      }
    }
  }

  const components = isObject(document['components']) ? document['components'] : {};
  for (const [name, schema] of entries(components['schemas'])) {
    const id = `schema-${name}`;
    const fields = fieldTable(reader, schema);
    const type = fields ? '' : `<p>${reader.typeOf(schema)}</p>`;
    add(
      'Schemas',
      id,
      name,
      `<section><h3 id="${escapeHtml(id)}">${escapeHtml(name)}</h3>${prose(schema['description'])}${type}${fields}</section>`,
    );
  }

  const navigation = [...groups]
    .map(([name, { links }]) => `<strong>${escapeHtml(name)}</strong><ol>${links}</ol>`)
    .join('\n');
  const content = [...groups].map(
    ([name, { sections }]) => `<h2>${escapeHtml(name)}</h2>${sections}`,
  );
  const title = String(info['title'] ?? 'API');
  const back = `<p><a href="${escapeHtml(home.href)}">← ${escapeHtml(home.title)}</a></p>`;
  return page(
    title,
    navigation,
    `${back}<h1>${escapeHtml(title)}</h1>${prose(info['description'])}${content.join('\n')}`,
  );
}
