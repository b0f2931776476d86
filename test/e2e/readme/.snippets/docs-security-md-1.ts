import { createWebhookHandler, type Scheme } from 'contentgen/webhooks';
import { base64url, createRemoteJWKSet, flattenedVerify } from 'jose';

const secret = process.env.CONTENTGEN_JWKS_URL!;
const keys = createRemoteJWKSet(new URL(secret), { cooldownDuration: 30_000 });

const scheme: Scheme = {
  name: 'jws',
  signatureHeaders: ['X-Service-Signature'],
  signsEnvelope: true,
  prepare: () => {},
  sign: () => Promise.reject(new Error('Only the service has the private key.')),
  async check({ id, timestamp, body, signature: jws }) {
    const [header = '', , signature = ''] = jws.split('.');
    const payload = base64url.encode(Buffer.concat([Buffer.from(`${id}.${timestamp}.`), body]));
    try {
      await flattenedVerify({ protected: header, payload, signature }, keys, { algorithms: ['EdDSA', 'ES256'] });
      return 'valid';
    } catch (error) {
      // If the keys cannot be fetched, the response is a 500 and the delivery is retried.
      if (!/^ERR_(JWS|JWKS_NO_MATCHING_KEY|JOSE_ALG_NOT_ALLOWED|JOSE_NOT_SUPPORTED)/.test(Object(error).code)) throw error;
      return 'signature_mismatch';
    }
  },
};

export const handler = createWebhookHandler({ secret, scheme, on: {} });
