import { expect, test } from 'vitest';
import { scaffoldWorkspace } from '../../src/workspace/scaffold.ts';
import { load } from './declare.ts';

test('what init writes loads without a word, and on any day its hour is a whole one', async () => {
  for (const broadcastDayUtc of ['2028-02-29', '2030-03-31', '2030-10-27', '2031-12-31']) {
    const files = scaffoldWorkspace({ broadcastDayUtc });
    const loaded = await load(Object.fromEntries(files.map(({ path, text }) => [path, text])));
    expect(loaded).toMatchObject({ kind: 'loaded', warnings: [], declared: [{}, {}] });
  }
});
