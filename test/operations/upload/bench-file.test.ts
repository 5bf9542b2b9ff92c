import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { putToStore } from '../../../bench/upload-run.ts';
import { JPEG, mediaOf } from '../../helpers/media.ts';
import { servePlainStore } from '../../helpers/plain-store.ts';

it('sends the file of the bench, which is in no workspace', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'herald-bench-file-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'bench.jpg');
  writeFileSync(path, mediaOf(JPEG, 10_000));
  const store = await servePlainStore((_, response) => response.setHeader('etag', '"e"').end());
  onTestFinished(store.close);
  await putToStore(path, store.url, 1);
  await putToStore(path, store.url, 4);
  expect(store.arrivals.map(({ size }) => size)).toEqual([10_000, 2500, 2500, 2500, 2500]);
});
