/** The members of `exampleRecords`, with the example that each takes its value from. */
const records = {
  generation: ['GenerationCompleted'],
  cancelable: ['GenerationProcessing'],
  callback: ['CallbackCompleted'],
  apiKey: ['ApiKey'],
  webhook: ['Webhook'],
  delivery: ['DeliveryPage', 'data', 0],
  callbackDelivery: ['CallbackDeliveryPage', 'data', 0],
  event: ['UsageThresholdEvent'],
};

/** The contract's example records and the ids in its paths, as the source of `src/generated/examples.ts`. */
export function examplesSource(document) {
  const { examples, parameters } = document.components;
  const values = Object.entries(records).map(([member, [name, ...path]]) => {
    const value = path.reduce((at, key) => at?.[key], examples[name]?.value);
    if (value === undefined)
      throw new Error(`Failed to generate ${member}: openapi.yaml has no example ${name}.`);
    return [member, value];
  });
  const resolve = ({ $ref, ...inline }) => ($ref ? parameters[$ref.split('/').at(-1)] : inline);
  const operations = Object.values(document.paths).flatMap((item) => Object.values(item));
  const ids = operations.flatMap(({ operationId, parameters: own = [] }) => {
    const inPath = own.map(resolve).find((parameter) => parameter.in === 'path');
    return inPath ? [[operationId, inPath.example]] : [];
  });
  return `/** Records from the contract's examples. */
export const exampleRecords = ${JSON.stringify(Object.fromEntries(values), null, 2)} as const;

/** Operation id → the example id of its path parameter. */
export const exampleIds = ${JSON.stringify(Object.fromEntries(ids), null, 2)} as const;
`;
}
