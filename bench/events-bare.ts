import { open } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import pg from 'pg';

/**
 * A minimal receiver: it stores each body before it answers, with one write for all that wait. It
 * does not read them, finds no repetition, and checks no sender.
 */
const [kind = '', place = ''] = process.argv.slice(2);
const store = kind === 'files' ? await inFile(place) : await inTable(place);
let waiting: { readonly body: string; readonly answer: ServerResponse }[] = [];
let isWriting = false;

const server = createServer((request, answer) => {
  let body = '';
  request.on('data', (piece: Buffer) => (body += piece.toString()));
  request.on('end', () => {
    waiting.push({ body, answer });
    if (!isWriting) void writeAll();
  });
});
server.listen(0, '127.0.0.1', () =>
  console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`),
);
process.on('SIGTERM', () => process.exit(0));

async function writeAll(): Promise<void> {
  isWriting = true;
  while (waiting.length > 0) {
    const batch = waiting;
    waiting = [];
    await store(batch.map(({ body }) => body));
    for (const { answer } of batch) answer.writeHead(200, { 'content-length': 0 }).end();
  }
  isWriting = false;
}

type Store = (bodies: readonly string[]) => Promise<unknown>;

async function inFile(folder: string): Promise<Store> {
  const file = await open(join(folder, 'bodies.jsonl'), 'a');
  return async (bodies) => {
    await file.appendFile(bodies.map((body) => `${JSON.stringify({ body })}\n`).join(''));
    await file.datasync();
  };
}

async function inTable(url: string): Promise<Store> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query('CREATE TABLE bodies (position bigserial PRIMARY KEY, body text NOT NULL)');
  return (bodies) => client.query('INSERT INTO bodies (body) SELECT unnest($1::text[])', [bodies]);
}
