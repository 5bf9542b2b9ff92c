import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, afterEach, expect, it } from 'vitest';
import { threadOf, type Bounds, type Thread } from './thread.ts';

const folder = mkdtempSync(join(tmpdir(), 'herald-threads-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Counts its questions, so that a new thread is told from one that goes on. */
const ODD = join(folder, 'odd.mjs');
writeFileSync(
  ODD,
  `import { parentPort } from 'node:worker_threads';
let count = 0;
parentPort.on('message', (question) => {
  count += 1;
  if (question === 'throw') throw new Error('thrown');
  if (question === 'leave') process.exit(7);
  if (question === 'hang') for (;;);
  if (question === 'wait') return;
  parentPort.postMessage({ result: question + ' ' + count });
});`,
);

let thread: Thread<string, string> | null = null;
afterEach(() => thread?.end());

const odd = (bounds?: Bounds) => (thread = threadOf(pathToFileURL(ODD), bounds));

it('answers one question after another', async () => {
  const { ask } = odd();
  expect(await ask('first')).toEqual({ result: 'first 1' });
  expect(await ask('second')).toEqual({ result: 'second 2' });
});

it('reports how a thread ended, and starts it again for the next question', async () => {
  const { ask } = odd();
  expect(await ask('throw')).toEqual({ crash: expect.stringContaining('thrown') });
  expect(await ask('next')).toEqual({ result: 'next 1' });
  expect(await ask('leave')).toEqual({ crash: 'the thread ended with code 7' });
  expect(await ask('next')).toEqual({ result: 'next 1' });
});

it('stops a thread that works without an end', async () => {
  const { ask } = odd({ wallMs: 600_000, cpuMs: 500 });
  expect(await ask('hang')).toEqual({ stuckAfterSec: 0.5 });
  expect(await ask('next')).toEqual({ result: 'next 1' });
});

it('stops a thread that waits without an end', async () => {
  const { ask } = odd({ wallMs: 500, cpuMs: Infinity });
  expect(await ask('wait')).toEqual({ stuckAfterSec: 0.5 });
  // A new thread has to load before it answers: that takes as long as it takes.
  expect(await odd().ask('next')).toEqual({ result: 'next 1' });
});
