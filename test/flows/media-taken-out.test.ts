import { describe, expect, it } from 'vitest';
import { campaign, declaring } from '../helpers/declare-live.ts';
import { applied, decisions, messages, outcomes, planned, statuses } from '../helpers/flows.ts';
import { aScene, type Scene } from '../helpers/scene.ts';
import { callsOf, HELLO, vaultOf } from '../helpers/uploads.ts';

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
});
