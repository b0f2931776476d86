import { client } from '../service.ts';

export const dynamic = 'force-dynamic';

/** A server component: the credential and the call stay on the server. */
export default async function Usage() {
  const usage = await client.usage.get().safe();
  if (!usage.ok) return <p role="alert">Sorry: {usage.error.code}</p>;
  return (
    <p>
      {usage.value.used} of {usage.value.quota} tokens
    </p>
  );
}
