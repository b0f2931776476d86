import { ContentGen } from 'contentgen';

const client = new ContentGen();

const outcome = await client.content.get('gen_01jzzzzzzzzzzzzzzzzzzzzzzz').safe();
if (outcome.ok) console.log(outcome.value.status);
else console.log(outcome.error.code); // not_found
