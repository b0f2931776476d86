import { ContentGen } from 'contentgen';

const client = new ContentGen();

// What makes the page dynamic must leave Next.js 14 its cache of fetches: a parameter does.
export default async function Usage({ searchParams }) {
  await (await searchParams).again;
  const { used } = await client.usage.get();
  return <p>used {used}</p>;
}
