import { fromBase64 } from '../../webhooks/diagnose-keys.ts';
import { base64, type Draft, type Drafting, type VectorResult } from './draft.ts';

/** RFC 8032, 7.1, tests 1 and 2. */
const privateKey = 'whsk_nWGxne/9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A=';
const publicKey = 'whpk_11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=';
const otherPrivateKey = 'whsk_TM0Imyj/ltqdtsNG7BFOD1uKMZ81q6Yk2oz27U+4pvs=';
/** The order of the group: S and S + L verify alike unless S is checked to be below it. */
const order = 2n ** 252n + 27742317777372353535851937790883648493n;

/** The same signature with S + L. */
function malleated(signature: string): string {
  const bytes = fromBase64(signature.slice(4));
  let s = order;
  for (let at = 63; at >= 32; at--) s += BigInt(bytes[at] ?? 0) << BigInt(8 * (at - 32));
  for (let at = 32; at < 64; at++) bytes[at] = Number((s >> BigInt(8 * (at - 32))) & 255n);
  return `v1a,${base64(bytes)}`;
}

/** Deliveries that are signed with Ed25519. A verifier without it skips them. */
export async function keyVectors(
  tools: Drafting,
): Promise<(readonly [result: VectorResult, drafts: readonly Promise<Draft>[]])[]> {
  const { sign, hmac, body, id, now } = tools;
  const draft = async (...[comment, flag, signature, changes]: Parameters<Drafting['draft']>) => {
    const given = { secret: publicKey, ...changes };
    const made = await tools.draft(`Ed25519: ${comment}`, flag, signature, given);
    return { ...made, flags: ['Ed25519', flag] };
  };
  const own = await sign({ secret: privateKey });
  const other = await sign({ secret: otherPrivateKey });
  const mac = await sign();
  const text = '{"note":"Zürich"}';
  const key = fromBase64(publicKey.slice(5));
  const forged = await hmac(key, `${id}.${now}.${body}`);
  const stale = await sign({ secret: privateKey, time: now - 310 });
  return [
    [
      'valid',
      [
        draft('an ordinary delivery', 'Normal', own),
        draft('text that is not ASCII', 'RawBody', sign({ secret: privateKey, body: text }), {
          body: text,
        }),
        draft('v1 of an unknown secret first', 'Rotation', `${mac} ${own}`),
        draft('another key first', 'Rotation', `${other} ${own}`),
      ],
    ],
    [
      'invalid',
      [
        draft('a changed body', 'ChangedBody', own, { body: `${body} ` }),
        draft('a changed id', 'SignedContent', own, { id: `${id}x` }),
        draft('a changed time', 'SignedContent', own, { time: now - 1 }),
        draft('310 s old', 'Time', stale, { time: now - 310 }),
        draft('signed with another key', 'Key', other),
        draft('v1 with the signature', 'Header', own.replace('v1a', 'v1')),
        draft('an HMAC with the public key, as v1', 'Key', forged),
        draft('an HMAC with the public key, as v1a', 'Key', forged.replace('v1', 'v1a')),
        draft('an empty signature', 'Comparison', 'v1a,'),
        draft('the first 32 bytes', 'Comparison', `${own.slice(0, 46)}A=`),
        draft('64 zero bytes', 'Comparison', `v1a,${'A'.repeat(86)}==`),
        draft('S + L in place of S', 'Malleable', malleated(own)),
      ],
    ],
  ];
}
