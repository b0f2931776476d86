import { ContentGen } from 'contentgen';
import { connection } from 'next/server';

const client = new ContentGen();

export default async function Usage() {
  await connection();
  const { used } = await client.usage.get();
  return <p>used {used}</p>;
}
