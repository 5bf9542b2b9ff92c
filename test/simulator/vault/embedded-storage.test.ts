import { describe, expect, it } from 'vitest';
import { openEmbedded } from '../../../src/simulator/embedded.ts';
import { memoryWorkspace } from '../../helpers/memory-workspace.ts';
import { requestOf } from '../visit.ts';
import { virtualClock } from '../virtual-clock.ts';
import { aFile, inPieces, UPLOADS, type Started } from './vault-visit.ts';

const signal = new AbortController().signal;

describe('the object store of an embedded service', () => {
  it('keeps what was put before it answers, so that a later process can export it', async () => {
    const tree: Record<string, string> = {};
    const open = () =>
      openEmbedded(memoryWorkspace(tree), 'world.json', { clock: virtualClock(), random: () => 0 });
    const call = async (action: string, body: object) => {
      const { fetch } = await open();
      return (await fetch(requestOf(`http://simulator.invalid${UPLOADS}/${action}`, 'POST', body))).text();
    };
    const { put_url, key, get_url }: Started = JSON.parse(await call('start', aFile()));
    const { putBytes } = await open();
    const put = { url: put_url, contentType: 'image/jpeg', length: 5, body: inPieces('bytes'), signal };
    const { etag } = await putBytes(put);
    const exported = await call('export', { ...aFile(), key, get_url, e_tag: etag, export_type: 'post' });
    expect(JSON.parse(exported)).toMatchObject({ status: 'uploaded', media_id: null });
  });
});
