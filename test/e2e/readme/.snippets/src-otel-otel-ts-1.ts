import { ContentGen } from 'contentgen';
import { otel } from 'contentgen/otel';

const client = new ContentGen({ middleware: [otel()] });
