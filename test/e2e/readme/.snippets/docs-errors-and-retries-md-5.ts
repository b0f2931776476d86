import { ContentGen } from 'contentgen';
import { paced } from 'contentgen/pacing';

const client = new ContentGen({ middleware: [paced({ concurrency: 10 })] });
