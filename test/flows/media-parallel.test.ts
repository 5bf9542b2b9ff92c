import { describe, expect, it } from 'vitest';
import { campaign, declaring } from '../helpers/declare-live.ts';
import { applied, decisions, liveOn, messages, outcomes, planned } from '../helpers/flows.ts';
import { JPEG, mediaOf } from '../helpers/media.ts';
import { aScene, type Scene, type SceneOptions } from '../helpers/scene.ts';
import { callsOf, vaultOf } from '../helpers/uploads.ts';

const FILES = 6;
const names = Array.from({ length: FILES }, (_, index) => `C${index}`);
const pathOf = (name: string) => `live/${name}.jpg`;

/** Six campaigns, each with a file of its own. */
function scene(world: SceneOptions['world'] = {}, accounts: readonly string[] = ['alice']): Scene {
  const campaigns = names.map((name) =>
    campaign({ name, messages: [{ text: name, attachments: [{ file: `${name}.jpg` }] }] }),
  );
  const made = aScene({ files: declaring({ campaigns }, accounts), world });
  names.forEach((name, index) => (made.bytes.blobs[pathOf(name)] = mediaOf(JPEG, 5000, index + 1)));
  return made;
}

/** Media take 40 s each, and nothing else takes any time. */
const SLOW_MEDIA = { modes: { uploadStepSec: 10, uploadTiming: 'fixed' } } as const;

async function operationsOf(made: Scene): Promise<(string | null)[]> {
  const { requests } = await made.oracle();
  return requests.map(({ operation }) => operation);
}

describe('several files of one account', () => {
  it('are uploaded side by side, each once, and shown by their own campaigns', async () => {
    const made = scene(SLOW_MEDIA);
    const { plan } = await planned(made);
    expect(plan.eta_sec, 'processing is waited for together').toBeLessThan(20);
    const begun = made.clock.now();
    const run = await applied(made);
    expect(run.code, messages(run) + run.stderr).toBe(0);
    expect(made.clock.now() - begun).toBeLessThan(2 * 40_000);
    expect(await callsOf(made)).toBe(`start ${FILES}, export ${FILES}`);
    const { exported } = await vaultOf(made);
    const shown = await made.service((_, world) =>
      Object.values(world.accounts['101']?.campaigns ?? {}).map(
        ({ live }) => `${live.name} ${live.messages[0]?.attachments[0]?.id}`,
      ),
    );
    expect(shown.toSorted()).toEqual(
      names.map((name) => `${name} ${exported.find((media) => media.name === `${name}.jpg`)?.media_id}`),
    );
    expect(decisions(await planned(made))).toEqual([]);
  });

  it('hold up only the campaigns that show them', async () => {
    const fates = { uploadFates: [{ name_contains: 'C2', fate: 'unprocessable' as const }] };
    const made = scene({ modes: { ...SLOW_MEDIA.modes, ...fates } });
    const run = await applied(made);
    expect([run.code, outcomes(run).toSorted()]).toEqual([
      4,
      [...Array<string>(FILES - 1).fill('create applied'), 'create failed'],
    ]);
    expect(messages(run)).toContain('C2.jpg is not in the vault');
  });

  it('go to each account that shows them', async () => {
    const made = scene(SLOW_MEDIA, ['alice', 'bob']);
    const begun = made.clock.now();
    expect((await applied(made)).code).toBe(0);
    expect(made.clock.now() - begun).toBeLessThan(2 * 40_000);
    expect(await callsOf(made)).toBe(`start ${2 * FILES}, export ${2 * FILES}`);
    const { vaults } = await made.oracle();
    expect([vaults['101']?.exported.length, vaults['102']?.exported.length]).toEqual([FILES, FILES]);
  });

  it('end with the run that a Ctrl-C stops, and the next run uploads none of them twice', async () => {
    const made = scene(SLOW_MEDIA);
    let accepted = 0;
    const run = made.startAs(
      {
        onRecord: (what) => {
          if (what === 'end' && (accepted += 1) === 3) run.interrupt();
          return 'done';
        },
      },
      'apply',
      '--yes',
    );
    expect((await run.ran).code).toBe(130);
    expect((await applied(made)).code).toBe(0);
    const { exported } = await vaultOf(made);
    expect(exported.map(({ name }) => name).toSorted()).toEqual(names.map((name) => `${name}.jpg`));
    expect(decisions(await planned(made))).toEqual([]);
  });
});

describe('the lists that creates go by', () => {
  it('are read after the wait for a turn, also where the file is in the vault already', async () => {
    const made = scene();
    const first = pathOf('C0');
    expect((await made.herald('vault', 'upload', first, '--account', 'alice')).code).toBe(0);
    made.clock.move(24 * 3_600_000);
    await made.fault({ kind: 'slow', operation: 'vault.thumbnail', delay_ms: 60_000 });
    // Someone is faster, while it is looked whether the media is still there.
    const seed = { account_id: '101', kind: 'campaign', set: { name: 'C0' } } as const;
    await made.fault({ kind: 'change_before', operation: 'vault.upload-export', nth: 1, seed });
    const run = await applied(made);
    expect(outcomes(run).toSorted()[0]).toBe('create applied');
    expect(messages(run)).toContain('appeared with this name or was started since the plan was made');
    const live = await liveOn(made, '101', 'campaign');
    expect(live.filter(({ name }) => name === 'C0')).toHaveLength(1);
  });

  it('are not read again for each campaign with a file that is there by then', async () => {
    const made = aScene({
      files: declaring({
        campaigns: names.map((name) =>
          campaign({ name, messages: [{ text: name, attachments: [{ file: 'same.jpg' }] }] }),
        ),
      }),
    });
    made.bytes.blobs['live/same.jpg'] = mediaOf(JPEG, 5000);
    expect((await applied(made)).code).toBe(0);
    const lists = (await operationsOf(made)).filter((operation) => operation === 'campaigns.list');
    // For the plan, before the creates, and after them.
    expect(lists.length).toBeLessThanOrEqual(4);
    expect(await callsOf(made)).toBe('start 1, export 1');
  });
});
