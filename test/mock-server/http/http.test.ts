import { conformance } from './conformance.ts';
import { overASocket } from './over-a-socket.ts';

conformance('over a socket', overASocket);
