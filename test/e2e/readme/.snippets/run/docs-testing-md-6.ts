import { ContentGen } from 'contentgen';
import { createMockServer } from 'contentgen/mock';

const mock = createMockServer({ clock: 'manual', seed: 1 });
const client = new ContentGen(mock.clientOptions);

const held = mock.hold('generateContent');
const pieces = client.content.stream({ prompt: 'A haiku about TCP' })[Symbol.asyncIterator]();
const first = pieces.next();
await held.started; // the call stands still: the page is loading
held.emit('SYN'); // a stream sends it now
console.log((await first).value); // SYN
held.emit(', SYN-ACK'); // the page shows half of the text
console.log((await pieces.next()).value); // , SYN-ACK
held.release(); // or held.fail({ message: 'The model is overloaded.' })
console.log((await pieces.next()).done); // true
