import { describe, expect, it } from 'vitest';
import { errorReportShape } from '../../src/domain/change.ts';
import { broadcast, campaign, declaring } from '../helpers/declare-live.ts';
import { applied, documentOf, liveOn, planned } from '../helpers/flows.ts';
import { aScene, type Scene } from '../helpers/scene.ts';

const KINDS = [
  {
    kind: 'campaign',
    plural: 'campaigns',
    start: 'activate',
    runs: 'active',
    address: 'alice/campaign/Welcome',
  },
  {
    kind: 'broadcast',
    plural: 'broadcasts',
    start: 'resume',
    runs: 'scheduled',
    address: 'alice/broadcast/Teaser',
  },
] as const;
type Row = (typeof KINDS)[number];

function files({ kind }: Pick<Row, 'kind'>, text: string): Record<string, string> {
  const messages = [{ text }];
  return kind === 'campaign'
    ? declaring({ campaigns: [campaign({ messages })] })
    : declaring({ broadcasts: [broadcast({ messages, scheduled_at: '2026-07-01T15:00Z' })] });
}

/** "Old" was applied, then "New", and a person has stopped "New". */
async function stopped(row: Row): Promise<{ scene: Scene; old: string; young: string; said: string }> {
  const scene = aScene({ files: files(row, 'Old') });
  expect((await applied(scene)).code).toBe(0);
  Object.assign(scene.files.tree, files(row, 'New'));
  expect((await applied(scene)).code).toBe(0);
  const stop = await scene.herald(row.plural, 'pause', row.address, '--yes');
  expect(stop.code, stop.stderr).toBe(0);
  const [old, young] = await liveOn(scene, '101', row.kind);
  return { scene, old: old?.id ?? '', young: young?.id ?? '', said: stop.stdout + stop.stderr };
}

async function live(scene: Scene, { kind }: Row): Promise<string[]> {
  return (await liveOn(scene, '101', kind)).map(({ text, status }) => `${text} ${status}`);
}

async function refused(scene: Scene, ...words: string[]) {
  const ran = await scene.herald(...words, '--format', 'json');
  const { code, message, hint } = documentOf(ran, errorReportShape);
  return { code, message, hint };
}

describe.each(KINDS)('a $kind with several versions that a person starts again', (row) => {
  const { plural, start, runs, address } = row;

  it('by its address is the version of the file, and all versions are shown', async () => {
    const { scene, old, young, said } = await stopped(row);
    expect(said.replace(/\s+/g, ' ')).toContain(`herald ${plural} ${start} ${young} --account alice`);
    const ran = await scene.herald(plural, start, address, '--yes');
    expect(ran.code, ran.stderr).toBe(0);
    expect(await live(scene, row)).toEqual(['Old paused', `New ${runs}`]);
    const shown = ran.stderr.replace(/\s+/g, ' ');
    expect(shown).toMatch(
      new RegExp(
        `${old} \\(paused, created on Mon 1 Jun 2026 12:00 UTC, replaced on Mon 1 Jun 2026 12:00 UTC by ${young}\\)`,
      ),
    );
    expect(shown).toMatch(new RegExp(`${young} \\(paused, created on Mon 1 Jun 2026 12:00 UTC, current\\)`));
    expect(shown).not.toContain('"Old"');
  });

  it('by the id of the old version is asked about, with the text that would go live', async () => {
    const { scene, old } = await stopped(row);
    const words = [plural, start, old, '--account', 'alice'];
    expect(await refused(scene, ...words)).toMatchObject({ code: 'needs-yes' });
    let asked = '';
    scene.answer = (question) => {
      asked = question;
      return false;
    };
    expect((await scene.herald(...words)).code).toBe(1);
    expect(asked).toContain('It differs from its file (messages[0].text). Fans get "Old".');
    expect(asked).toContain('Type yes');
    expect(await live(scene, row)).toEqual(['Old paused', 'New paused']);
    expect((await scene.herald(...words, '--yes')).code).toBe(0);
    expect(await live(scene, row)).toEqual([`Old ${runs}`, 'New paused']);
  });

  it.each([
    [
      'equals none of them',
      (scene: Scene) => Object.assign(scene.files.tree, files(row, 'Newest')),
      'No version equals its file.',
      'To put the text of the file live: herald apply. ',
    ],
    [
      'does not declare it any more',
      (scene: Scene) => {
        Object.assign(scene.files.tree, declaring({ campaigns: [campaign({ name: 'Other' })] }));
      },
      'No file declares it.',
      '',
    ],
    [
      'has an error',
      (scene: Scene) => {
        for (const path of Object.keys(files(row, ''))) scene.files.tree[path] = 'oops: 1\n';
      },
      'The files have errors, so Herald cannot tell which version they declare.',
      'To see the errors: herald validate. ',
    ],
  ])('by its address needs an id where the file %s', async (_, change, why, first) => {
    const { scene, old, young } = await stopped(row);
    change(scene);
    const { code, message, hint } = await refused(scene, plural, start, address, '--yes');
    expect(code).toBe('ambiguous-name');
    expect(message).toContain(why);
    for (const id of [old, young]) expect(message).toContain(`${id} (paused, created on 2026-06-01T`);
    expect(message).not.toContain('current');
    expect(hint).toBe(`${first}To start one of them: herald ${plural} ${start} ID --account alice`);
    expect(await live(scene, row)).toEqual(['Old paused', 'New paused']);
  });
});

it('a plan names the one of two half-sent broadcasts that equals the file', async () => {
  const scene = aScene({ files: files({ kind: 'broadcast' }, 'New') });
  await scene.service((control) => {
    const half = { name: 'Teaser', status: 'paused', scheduled_at: null } as const;
    control.seedBroadcast('101', { ...half, id: '1', messages: [{ text: 'Old' }] });
    control.seedBroadcast('101', { ...half, id: '2', messages: [{ text: 'New' }] });
  });
  const { plan } = await planned(scene);
  expect(plan.changes[0]?.reasons.join(' ')).toContain('To send the rest: herald broadcasts resume 2 ');
});
