import { describe, expect, it } from 'vitest';
import { broadcast, campaign, declaring } from '../helpers/declare-live.ts';
import { applied, createsSent, decisions, liveOn, outcomes, planned, standing } from '../helpers/flows.ts';
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
    expect(decisions(await planned(scene))).toEqual([]);
    expect(outcomes(await applied(scene))).toEqual([]);
    expect(await createsSent(scene)).toBe(0);
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

// CONTENT-4
it.each([
  ['keeps what is live, and renamed_from may go once the state knows', 'Hey', [], ['Welcome active']],
  ['is a replace with other words', 'New', ['replace applied'], ['Welcome paused', 'Hello active']],
])('a rename with renamed_from %s', async (_title, text, ends, live) => {
  const scene = await standing(declaring({ campaigns: [campaign()] }));
  const renamed = { name: 'Hello', messages: [{ text }] };
  const write = (more: object) =>
    Object.assign(scene.files.tree, declaring({ campaigns: [campaign({ ...renamed, ...more })] }));
  write({ renamed_from: 'Welcome' });
  expect(outcomes(await applied(scene))).toEqual(ends);
  const objects = await liveOn(scene, '101', 'campaign');
  expect(objects.map(({ name, status }) => `${name} ${status}`)).toEqual(live);
  write({});
  expect(decisions(await planned(scene))).toEqual([]);
});

it.each(['welcome', 'Welcome '])('nothing starts next to %j, which people read as its name', async (name) => {
  const scene = aScene({ files: declaring({ campaigns: [campaign({ messages: [{ text: 'New' }] })] }) });
  const id = await scene.service(
    (control) => control.seedCampaign('101', { name, messages: [{ text: 'Hi' }] }).id,
  );
  const ran = await scene.herald('apply', '--yes');
  expect([ran.code, ran.stdout]).toEqual([
    5,
    expect.stringContaining(`herald campaigns pause ${id} --account alice`),
  ]);
  await scene.herald('campaigns', 'pause', id, '--account', 'alice', '--yes');
  expect(outcomes(await applied(scene))).toEqual(['create applied']);
});
