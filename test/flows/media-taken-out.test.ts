import { describe, expect, it } from 'vitest';
import type { FaultInput } from '../../src/simulator/fault-shape.ts';
import { campaign, declaring } from '../helpers/declare-live.ts';
import { applied, decisions, messages, outcomes, planned, statuses } from '../helpers/flows.ts';
import { flowClock } from '../helpers/flow-clock.ts';
import { JPEG, MP4, mediaOf } from '../helpers/media.ts';
import { aScene, NOON, type Scene } from '../helpers/scene.ts';
import { callsOf, HELLO, uploadsIn, vaultOf } from '../helpers/uploads.ts';

const PICTURE = 'live/media/hello.jpg';
const HOURS = 3_600_000;
const ASKED = 'vault.thumbnail';
const showing = (file: string) =>
  declaring({ campaigns: [campaign({ messages: [{ text: 'Look', attachments: [{ file }] }] })] });

/** The bytes are in the vault since yesterday, and a campaign is to show them. */
async function scene(path = PICTURE, bytes: Uint8Array = HELLO): Promise<Scene> {
  const made = aScene({ files: showing(path.slice('live/'.length)) });
  made.bytes.blobs[path] = bytes;
  expect((await made.herald('vault', 'upload', path, '--account', 'alice')).code).toBe(0);
  made.clock.move(24 * HOURS);
  return made;
}

/** Someone deletes everything in alice's vault. */
function emptied(made: Scene): Promise<unknown> {
  return made.service((_, world) => world.accounts['101']?.vault.medias.splice(0));
}

async function mediaOfAlice(made: Scene): Promise<string[]> {
  return (await vaultOf(made)).exported.map(({ media_id: id }) => id);
}

const asked = async (made: Scene): Promise<number> =>
  (await made.oracle()).requests.filter(({ operation }) => operation === ASKED).length;

describe('media that someone has deleted in the vault', () => {
  // VAULT-3
  it('is shown by no create: said with file, account and media, until a person uploads it again', async () => {
    const made = await scene();
    const [old = ''] = await mediaOfAlice(made);
    await emptied(made);
    const run = await applied(made);
    expect([run.code, outcomes(run)]).toEqual([1, ['create failed']]);
    const said = ['no longer has its thumbnail (404)', 'someone may have deleted it'];
    for (const word of [PICTURE, `media ${old}`, 'alice (account 101)', ...said])
      expect(messages(run)).toContain(word);
    const advice = `herald vault upload ${PICTURE} --account alice --again`;
    expect(messages(run)).toContain(advice);
    expect(await statuses(made, 'campaign')).toEqual([]);
    expect(await callsOf(made), 'nothing is uploaded again by itself').toBe('start 1, export 1');

    expect((await made.herald('vault', 'upload', PICTURE, '--account', 'alice', '--again')).code).toBe(0);
    expect((await applied(made)).code).toBe(0);
    const [, fresh] = await mediaOfAlice(made);
    const shown = await made.service((_, world) =>
      Object.values(world.accounts['101']?.campaigns ?? {}).map(
        ({ live }) => live.messages[0]?.attachments[0]?.id,
      ),
    );
    expect(shown).toEqual([fresh]);
    expect(decisions(await planned(made))).toEqual([]);
  });

  it('leaves a campaign alone that was to be replaced', async () => {
    const made = aScene({ files: declaring({ campaigns: [campaign()] }) });
    made.bytes.blobs[PICTURE] = HELLO;
    expect((await applied(made)).code).toBe(0);
    await made.herald('vault', 'upload', PICTURE, '--account', 'alice');
    made.clock.move(24 * HOURS);
    await emptied(made);
    Object.assign(made.files.tree, showing('media/hello.jpg'));
    expect(outcomes(await applied(made))).toEqual(['replace failed']);
    expect(await statuses(made, 'campaign')).toEqual(['active']);
  });

  it('is not called uploaded by a second upload of the same bytes', async () => {
    const made = await scene();
    await emptied(made);
    const ran = await made.herald('vault', 'upload', PICTURE, '--account', 'alice', '--format', 'json');
    expect([ran.code, uploadsIn(ran)[0]?.outcome]).toEqual([1, 'not_attempted']);
    expect(uploadsIn(ran)[0]?.message).toContain('--again');
    expect(await callsOf(made)).toBe('start 1, export 1');
  });
});

describe('media that is there', () => {
  it('costs one request for each file, however many messages show it', async () => {
    const made = await scene();
    const message = { text: 'Look', attachments: [{ file: 'media/hello.jpg' }] };
    const campaigns = ['A', 'B', 'C'].map((name) => campaign({ name, messages: [message] }));
    Object.assign(made.files.tree, declaring({ campaigns }));
    expect((await planned(made)).code).toBe(0);
    expect(await asked(made), 'a plan asks nothing').toBe(0);
    expect((await applied(made)).code).toBe(0);
    expect(await asked(made)).toBe(1);
  });

  it('is not doubted where nothing certain is heard, so young, or without a thumbnail', async () => {
    const unclear = await scene();
    await unclear.fault({
      kind: 'broken_answer',
      operation: 'vault.thumbnail',
      how: '500',
      when: 'before_commit',
    });
    expect((await applied(unclear)).code).toBe(0);

    const young = aScene({ files: showing('media/hello.jpg') });
    young.bytes.blobs[PICTURE] = HELLO;
    await young.herald('vault', 'upload', PICTURE, '--account', 'alice');
    expect((await applied(young)).code).toBe(0);
    expect(await asked(young)).toBe(0);

    const sound = await scene('live/sound.m4a', mediaOf(Buffer.from(MP4).fill('M4A ', 8, 12), 4000));
    expect((await applied(sound)).code).toBe(0);
    expect(await asked(sound)).toBe(0);
  });

  it('is not older because a clock was set ahead: its thumbnail may be in the making', async () => {
    const flow = flowClock(NOON);
    let aheadMs = 0;
    const made = aScene({ clock: { ...flow, now: () => flow.now() + aheadMs } });
    made.bytes.blobs['hello.jpg'] = HELLO;
    const upload = ['vault', 'upload', 'hello.jpg', '--account', 'alice', '--format', 'json'];
    expect((await made.herald(...upload)).code).toBe(0);
    await made.service((_, world) => (world.clockOffsetMs -= 2 * HOURS));
    aheadMs = 2 * HOURS;
    expect(uploadsIn(await made.herald(...upload))[0]?.outcome).toBe('already');
    expect(await asked(made)).toBe(0);
  });

  it('is known by the ids that its upload received, no matter who read it meanwhile', async () => {
    const made = aScene();
    const paths = Array.from({ length: 4 }, (_, index) => `a${index}.jpg`);
    paths.forEach((path, index) => (made.bytes.blobs[path] = mediaOf(JPEG, 5000, index + 1)));
    const ran = await made.herald('vault', 'upload', ...paths, '--account', 'alice', '--format', 'json');
    made.clock.move(24 * HOURS);
    expect((await mediaOfAlice(made)).toSorted()).toEqual(
      uploadsIn(ran)
        .map(({ media_id: id }) => id)
        .toSorted(),
    );
  });

  const FILES = 12;
  const TROUBLES: readonly (readonly [string, FaultInput, number])[] = [
    ['refuses', { kind: 'broken_answer', operation: ASKED, how: '500', when: 'before_commit' }, 10],
    ['is silent', { kind: 'broken_answer', operation: ASKED, how: 'timeout', when: 'before_commit' }, 90],
    ['wants quiet', { kind: 'throttle', operation: ASKED, retry_after_sec: 60 }, 70],
    ['is slow', { kind: 'slow', operation: ASKED, delay_ms: 40_000 }, 50],
  ];

  it.each(TROUBLES)(
    'holds nothing up where the service %s: no file after the first',
    async (_, fault, sec) => {
      const names = Array.from({ length: FILES }, (__, index) => `C${index}`);
      const campaigns = names.map((name) =>
        campaign({ name, messages: [{ text: name, attachments: [{ file: `${name}.jpg` }] }] }),
      );
      const made = aScene({ files: declaring({ campaigns }) });
      const paths = names.map((name) => `live/${name}.jpg`);
      paths.forEach((path, index) => (made.bytes.blobs[path] = mediaOf(JPEG, 5000, index + 1)));
      await made.herald('vault', 'upload', ...paths, '--account', 'alice');
      made.clock.move(24 * HOURS);
      await made.fault(fault);
      const begunMs = made.clock.now();
      expect((await applied(made)).code).toBe(0);
      expect((made.clock.now() - begunMs) / 1000).toBeLessThan(sec);
      expect(await asked(made), 'two are uploaded at once').toBe(2);
    },
  );

  it('is not asked for where it was aimed at one fan', async () => {
    const made = aScene();
    made.bytes.blobs['hello.jpg'] = HELLO;
    const upload = ['vault', 'upload', 'hello.jpg', '--account', 'alice', '--format', 'json'];
    const fan = ['--fan', 'https://platform.example/u101001'];
    await made.herald(...upload, ...fan);
    made.clock.move(24 * HOURS);
    expect(uploadsIn(await made.herald(...upload, ...fan))[0]?.outcome).toBe('already');
    expect(await asked(made)).toBe(0);
  });
});
