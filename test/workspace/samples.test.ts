import { expect, test } from 'vitest';
import workspace from '../../src/workspace/samples/herald.yaml?text';
import broadcast from '../../src/workspace/samples/news.yaml?text';
import campaign from '../../src/workspace/samples/welcome.yaml?text';
import { load } from './declare.ts';

test('what init writes loads without a word, and on any day its hour is a whole one', async () => {
  for (const day of ['2028-02-29', '2030-03-31', '2030-10-27', '2031-12-31']) {
    const broadcasts = broadcast.replace('DAY', day);
    const files = { 'campaigns/a.yaml': campaign, 'broadcasts/b.yaml': broadcasts };
    const loaded = await load({ 'herald.yaml': workspace, ...files });
    expect(loaded).toMatchObject({ kind: 'loaded', warnings: [], declared: [{}, {}] });
  }
});
