import { describe, expect, it } from 'vitest';
import { createStep } from '../../src/apply/step-create.ts';
import type { UploadMedia } from '../../src/domain/uploads.ts';
import { aCampaign } from '../helpers/resource-builders.ts';
import { NOON } from '../helpers/scene.ts';
import { aStepContext } from '../helpers/step-context.ts';

const FILE = { path: 'live/a.jpg', name: 'a.jpg', size: 5, content_type: 'image/jpeg', digest: 'sha256:aa' };

/** A create that shows one file, and that is answered with this status. */
async function refused(status: number, { earlier }: { earlier: boolean }) {
  const problem = {
    what: `answered ${status}`,
    method: 'POST',
    url: 'https://api.example/x',
    status,
    hint: null,
  };
  const declared = aCampaign({
    messages: [{ text: 'Look', attachments: [{ file: FILE, type: 'image', is_paid: false }] }],
  });
  const upload: UploadMedia = () => Promise.resolve({ kind: 'uploaded', mediaId: '77', earlier });
  const exchange = { kind: 'refused', problem, sentAtMs: NOON };
  const context = await aStepContext({ exchange, declared }, { upload });
  const result = await createStep(context);
  return result.kind === 'failed' ? result.message : `${result.kind} instead of failed`;
}

describe('a create that is refused', () => {
  it('names the files, the account and the media of an earlier run: someone may have deleted them', async () => {
    const message = await refused(400, { earlier: true });
    for (const word of ['live/a.jpg (media 77)', 'alice (account 101)', '--account alice --again'])
      expect(message).toContain(word);
  });

  it('says nothing of media that this run has uploaded, nor where the key is refused', async () => {
    expect(await refused(400, { earlier: false })).not.toContain('--again');
    expect(await refused(403, { earlier: true })).not.toContain('--again');
  });
});
