import { describe, expect, it } from 'vitest';
import { broadcast, campaign, declaring } from '../helpers/declare-live.ts';
import { applied, createsSent, decisions, liveOn, outcomes, planned } from '../helpers/flows.ts';
import { aScene } from '../helpers/scene.ts';

/** One name in two forms: é is one character, or an e and an accent. */
const ONE = 'Café'.normalize('NFC');
const TWO = 'Café'.normalize('NFD');

describe('an object with its name in the other form', () => {
  it('is the one that a file declares', async () => {
    const files = declaring({ campaigns: [campaign({ name: ONE })], broadcasts: [broadcast({ name: ONE })] });
    const scene = aScene({ files });
    await scene.service((control) => {
      control.seedCampaign('101', { name: TWO, messages: [{ text: 'Hey' }] });
      control.seedBroadcast('101', {
        name: TWO,
        messages: [{ text: 'Tomorrow' }],
        scheduled_at: '2026-06-01T15:00:00Z',
      });
    });
    const { plan } = await planned(scene);
    expect(decisions({ plan })).toEqual([]);
    expect(outcomes(await applied(scene))).toEqual([]);
    expect(await createsSent(scene)).toBe(0);
  });

  it('is changed like any other', async () => {
    const scene = aScene({ files: declaring({ campaigns: [campaign({ name: ONE })] }) });
    await scene.service((control) => control.seedCampaign('101', { name: TWO, messages: [{ text: 'Old' }] }));
    expect(outcomes(await applied(scene, '--allow', 'adopt'))).toEqual(['replace applied']);
    expect(await liveOn(scene, '101', 'campaign')).toMatchObject([
      { name: TWO, status: 'paused' },
      { name: ONE, status: 'active', text: 'Hey' },
    ]);
    expect(outcomes(await applied(scene))).toEqual([]);
  });

  it('is imported, and then unchanged', async () => {
    const scene = aScene();
    await scene.service((control) => control.seedCampaign('101', { name: TWO }));
    expect((await scene.herald('import', '--account', 'alice')).code).toBe(0);
    expect(decisions(await planned(scene))).toEqual([]);
  });

  it('is stopped by hand on record, so that no apply starts it again', async () => {
    const scene = aScene({ files: declaring({ campaigns: [campaign({ name: ONE })] }) });
    const id = await scene.service(
      (control) => control.seedCampaign('101', { name: TWO, messages: [{ text: 'Hey' }] }).id,
    );
    expect((await scene.herald('campaigns', 'pause', id, '--account', 'alice', '--yes')).code).toBe(0);
    expect(await scene.requests()).toMatchObject([{ live_id: id, name: ONE }]);
    expect(decisions(await planned(scene))).toEqual([`blocked alice/campaign/${ONE}`]);
  });
});
