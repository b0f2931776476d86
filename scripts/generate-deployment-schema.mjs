import { namesOf } from './generate-names.mjs';

/** The JSON schema of a `deployment.json`: `defineDeployment()` accepts nothing that it rejects. */
export function deploymentSchemaSource(document) {
  const { fields, absent, events, statuses } = namesOf(document);
  const operations = Object.values(document.paths).flatMap((item) =>
    Object.values(item).flatMap(({ operationId }) => operationId ?? []),
  );
  const header = { type: 'string', pattern: "^[!#$%&'*+.^_`|~\\w-]{1,255}$" };
  // Neither an empty segment nor `__proto__`.
  const name = {
    type: 'string',
    maxLength: 255,
    pattern: '^(?!\\s*__proto__\\s*(\\.|$))[^.]+(\\.(?!\\s*__proto__\\s*(\\.|$))[^.]+)*$',
  };
  const word = {
    type: 'string',
    minLength: 1,
    maxLength: 255,
    not: { pattern: '^\\s*__proto__\\s*$' },
  };
  const record = (keys, value) => ({
    type: 'object',
    additionalProperties: false,
    properties: Object.fromEntries(keys.map((key) => [key, value])),
  });
  const object = (properties, required) => ({
    type: 'object',
    ...(required && { required }),
    additionalProperties: false,
    properties,
  });
  const ref = (name) => ({ $ref: `#/definitions/${name}` });
  const described = (description, schema) => ({ description, ...schema });
  const path = {
    type: 'string',
    pattern: "^(/(?!\\.{1,2}(/|$))([\\w.~!$&'()*+,;=:@-]|\\{\\w+\\})+)+$",
  };
  const schema = {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'What a service does differently from the contract',
    definitions: { name, word, path },
    ...object({
      $schema: { type: 'string' },
      baseUrl: described('The address of the service: https://host or https://host/v2.', {
        type: 'string',
        pattern: '^https?://[^\\s?#@\\\\]+$',
      }),
      paths: described(
        'The operations that have another path, with the placeholders of the original.',
        record(operations, ref('path')),
      ),
      webhookUrlField: described('Name of the callback field. Default: webhookUrl.', name),
      accessTokenHeader: described('Header of the access token. Default: Authorization.', header),
      tokenHeader: described("Header of a registration's token. Default: X-Service-Token.", header),
      eventNames: described(
        'Our event type and the name that this service sends.',
        record(events, ref('word')),
      ),
      scheme: described('How deliveries are authenticated. Default: { "type": "standard" }.', {
        oneOf: [
          object({ type: { const: 'standard' } }, ['type']),
          object(
            {
              type: { const: 'hmac' },
              algorithm: described('Default: sha256.', { enum: ['sha256', 'sha512', 'sha1'] }),
              encoding: described('Default: hex.', { enum: ['hex', 'base64', 'base64url'] }),
              header: described('Default: X-Service-Signature.', header),
              signs: described('What is signed. Default: {body}.', {
                type: 'string',
                pattern: '\\{body\\}',
                examples: ['{body}', '{timestamp}.{body}', '{id}.{timestamp}.{body}'],
              }),
              format: described('The value of the header. Default: {signature}.', {
                type: 'string',
                pattern: '\\{signature\\}',
                examples: ['{signature}', 'sha256={signature}', 't={timestamp},v1={signature}'],
              }),
              timestampHeader: described('The header of the time, unless format has it.', header),
              timestampUnit: described('Default: s.', { enum: ['s', 'ms'] }),
              idHeader: described('The header of the id of a delivery.', header),
            },
            ['type'],
          ),
          object(
            {
              type: { const: 'token' },
              header: described('Default: X-Service-Token.', header),
              prefix: described('What stands before the secret, such as "Bearer ".', {
                type: 'string',
                maxLength: 64,
              }),
            },
            ['type'],
          ),
        ],
      }),
      secretEncoding: described('What the text of a signing secret stands for. Default: whsec.', {
        enum: ['whsec', 'utf8', 'hex', 'base64'],
      }),
      fields: described(
        'Our name of a field and theirs, in requests, responses, callbacks and events. A dot starts a member of an object; the name of a schema in front limits it to that schema.',
        record(fields, ref('name')),
      ),
      wrap: described(
        'The member that holds the body of each successful response and of each callback. Default: none.',
        { ...word, pattern: '^[^.]+$' },
      ),
      statuses: described(
        'Our status of a generation and their word.',
        record(statuses, ref('word')),
      ),
      errors: described(
        'Where code and message of an error are in its body; false if bodies say nothing. Default: RFC 9457.',
        {
          oneOf: [{ const: false }, { ...object({ code: name, message: name }), minProperties: 1 }],
        },
      ),
      absent: described('The operations, streams and fields that do not exist.', {
        type: 'array',
        uniqueItems: true,
        items: { enum: [...operations, 'stream', ...absent] },
      }),
      idempotency: described(
        'The header of the idempotency key; false if there is none. Default: Idempotency-Key.',
        { oneOf: [{ const: false }, header] },
      ),
    }),
  };
  return `${JSON.stringify(schema, undefined, 2)}\n`;
}
