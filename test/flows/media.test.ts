import { describe, expect, it } from 'vitest';
import { broadcast, campaign, declaring } from '../helpers/declare-live.ts';
import {
  applied,
  decisions,
  editLive,
  messages,
  outcomes,
  planned,
  statuses,
  writesSent,
  expectEnd,
} from '../helpers/flows.ts';
import { JPEG, mediaOf, PNG } from '../helpers/media.ts';
import { aScene, type Scene } from '../helpers/scene.ts';
import { callsOf, HELLO, sha256, vaultOf } from '../helpers/uploads.ts';

const PICTURE = 'live/media/hello.jpg';
const message = (more: Record<string, unknown> = {}) => ({
  text: 'Look',
  price_gross: 9.99,
  attachments: [{ file: 'media/hello.jpg', is_paid: true }],
  ...more,
});
const showing = (...messages: readonly object[]) => declaring({ campaigns: [campaign({ messages })] });

const SECOND = campaign({ name: 'Second', messages: [message({ text: 'Again' })] });

/** The list tells uploads that were never exported apart by their status. */
function scene(files: Readonly<Record<string, string>> = showing(message())): Scene {
  const made = aScene({ files, world: { modes: { unfinishedStatus: 'null' } } });
  made.bytes.blobs[PICTURE] = HELLO;
  return made;
}

/** The media that each campaign of alice shows. */
function shown(made: Scene): Promise<(string | undefined)[]> {
  return made.service((_, world) =>
    Object.values(world.accounts['101']?.campaigns ?? {}).map(
      ({ live }) => live.messages[0]?.attachments[0]?.id,
    ),
  );
}

async function expectOneOfEach(made: Scene): Promise<void> {
  const vault = await vaultOf(made);
  expect(vault.exported.map((media) => media.sha256)).toEqual([sha256(HELLO)]);
  expect(vault.keysSeen).toBe(0);
  expect(await shown(made)).toEqual([vault.exported[0]?.media_id]);
  expect(await statuses(made, 'campaign')).toEqual(['active']);
  expect(decisions(await planned(made))).toEqual([]);
  const before = await writesSent(made);
  expect((await applied(made)).code).toBe(0);
  expect(await writesSent(made)).toEqual(before);
}

describe('a campaign that shows a file', () => {
  // CAMPAIGN-1
  it('is checked, planned with its upload, applied once, and quiet from then on', async () => {
    const made = scene();
    expect((await made.herald('validate')).code).toBe(0);
    const { plan } = await planned(made);
    expect(plan.changes[0]?.steps).toEqual([
      { kind: 'upload', live_id: null, file: PICTURE, size: HELLO.byteLength, about_sec: 6 },
      { kind: 'create', live_id: null },
      { kind: 'read_back', live_id: null },
    ]);
    expect(plan.eta_sec).toBeGreaterThanOrEqual(6);
    expect((await made.herald('plan')).stdout).toContain(`upload ${PICTURE} (9.8 KiB, about 6 s) → create`);
    const run = await applied(made);
    expect(run.code, run.stderr + messages(run)).toBe(0);
    expect(outcomes(run)).toEqual(['create applied']);
    expect(run.stderr).not.toContain('warning');
    expect(await writesSent(made)).toEqual([
      'POST vault.upload-start',
      'POST vault.upload-export',
      'POST campaigns.create',
    ]);
    await expectOneOfEach(made);
    expect((await made.herald('drift')).code).toBe(0);
  });

  it('is replaced when the bytes change, and not when only the file moves', async () => {
    const made = scene();
    await applied(made);
    made.bytes.blobs['live/media/moved.jpg'] = HELLO;
    const moved = message({ attachments: [{ file: 'media/moved.jpg', is_paid: true }] });
    Object.assign(made.files.tree, showing(moved));
    expect(decisions(await planned(made))).toEqual([]);
    Object.assign(made.files.tree, showing(message()));
    const other = mediaOf(JPEG, 10_000, 2);
    made.bytes.blobs[PICTURE] = other;
    const { plan } = await planned(made);
    const [change] = plan.changes;
    expect(change?.action).toBe('replace');
    expect(change?.fields.map(({ path }) => path)).toEqual(['messages[0].attachments']);
    expect(change?.steps.map(({ kind }) => kind)).toEqual(['upload', 'pause', 'create', 'read_back']);
    expect((await applied(made)).code).toBe(0);
    const { exported } = await vaultOf(made);
    expect(exported.map((media) => media.sha256)).toEqual([sha256(HELLO), sha256(other)]);
    expect(await statuses(made, 'campaign')).toEqual(['paused', 'active']);
    expect(decisions(await planned(made))).toEqual([]);
    // A wish is a part of what is declared, too.
    const wished = [{ file: 'media/hello.jpg', is_paid: true, rf_tag: ['1'] }];
    Object.assign(made.files.tree, showing(message({ attachments: wished })));
    expect(decisions(await planned(made))).toEqual(['replace alice/campaign/Welcome']);
    // Back to the first bytes: replaced again, and nothing is uploaded for it.
    made.bytes.blobs[PICTURE] = HELLO;
    expect(decisions(await planned(made)).map((line) => line.split(' ')[0])).toContain('replace');
  });
});

it('one upload serves every campaign and broadcast of an account, and each account has its own', async () => {
  const files = declaring({
    campaigns: [campaign({ accounts: ['alice', 'bob'], messages: [message()] }), SECOND],
    broadcasts: [broadcast({ messages: [message()] })],
  });
  const made = scene(files);
  const run = await applied(made);
  expect(run.code, messages(run)).toBe(0);
  expect(await callsOf(made)).toBe('start 2, export 2');
  const { vaults } = await made.oracle();
  expect([vaults['101']?.exported.length, vaults['102']?.exported.length]).toEqual([1, 1]);
  expect(decisions(await planned(made))).toEqual([]);
});

it('a lost state makes nothing go out again: Herald names what it cannot compare, and that is not drift', async () => {
  const made = scene();
  await applied(made);
  const sent = await writesSent(made);
  made.state.remove();
  const { plan } = await planned(made);
  expect(decisions({ plan })).toEqual([]);
  expect(plan.diagnostics.map(({ code, message: words }) => `${code} ${words}`).join()).toContain(
    'unverifiable messages[0].attachments[0].file',
  );
  expect((await applied(made)).code).toBe(0);
  expect(await writesSent(made)).toEqual(sent);
  // A second one that needs the file uploads it again; the first is left alone all the same.
  Object.assign(made.files.tree, declaring({ campaigns: [campaign({ messages: [message()] }), SECOND] }));
  expect(decisions(await planned(made))).toEqual(['create alice/campaign/Second']);
  expect((await applied(made)).code).toBe(0);
  expect(decisions(await planned(made))).toEqual([]);
  expect(await statuses(made, 'campaign')).toEqual(['active', 'active']);
});

/** The bytes are in the vault since yesterday, and a campaign is to show them. */
async function sceneWithOldMedia(): Promise<Scene> {
  const made = scene();
  expect((await made.herald('vault', 'upload', PICTURE, '--account', 'alice')).code).toBe(0);
  made.clock.move(24 * 3_600_000);
  return made;
}

async function mediaOfAlice(made: Scene): Promise<string[]> {
  return (await vaultOf(made)).exported.map(({ media_id: id }) => id);
}

/** How often a thumbnail was asked for. */
const asked = async (made: Scene): Promise<number> =>
  (await made.oracle()).requests.filter(({ operation }) => operation === 'vault.thumbnail').length;

// VAULT-3
it('media that someone has deleted in the vault is shown by no create until a person uploads it again', async () => {
  const made = await sceneWithOldMedia();
  const [old = ''] = await mediaOfAlice(made);
  await made.service((_, world) => world.accounts['101']?.vault.medias.splice(0));
  const run = await applied(made);
  expect([run.code, outcomes(run)]).toEqual([1, ['create failed']]);
  const said = ['no longer has its thumbnail (404)', 'someone may have deleted it'];
  for (const word of [PICTURE, `media ${old}`, 'alice (account 101)', ...said])
    expect(messages(run)).toContain(word);
  const advice = `herald vault upload ${PICTURE} --account alice --type message --again.`;
  expect(messages(run)).toContain(advice);
  expect(await statuses(made, 'campaign')).toEqual([]);
  expect(await callsOf(made), 'nothing is uploaded again by itself').toBe('start 1, export 1');

  expect((await made.herald('vault', 'upload', PICTURE, '--account', 'alice', '--again')).code).toBe(0);
  expect((await applied(made)).code).toBe(0);
  const [, fresh] = await mediaOfAlice(made);
  expect(await shown(made)).toEqual([fresh]);
  expect(decisions(await planned(made))).toEqual([]);
});

it('media that was deleted, and was uploaded for a file with a tag, names the upload with that tag', async () => {
  const wished = message({ attachments: [{ file: 'media/hello.jpg', is_paid: true, rf_tag: ['78'] }] });
  const made = scene(showing(wished));
  expect((await applied(made)).code).toBe(0);
  made.clock.move(24 * 3_600_000);
  await made.service((_, world) => world.accounts['101']?.vault.medias.splice(0));
  Object.assign(made.files.tree, showing({ ...wished, text: 'Again' }));
  const flags = '--account alice --type message --tag 78 --again. Then write its id in place of the file';
  expect(messages(await applied(made))).toContain(`herald vault upload ${PICTURE} ${flags}`);
});

it('media that is there costs one request for each file, however many messages show it', async () => {
  const made = await sceneWithOldMedia();
  const campaigns = ['A', 'B', 'C'].map((name) => campaign({ name, messages: [message()] }));
  Object.assign(made.files.tree, declaring({ campaigns }));
  expect((await planned(made)).code).toBe(0);
  expect(await asked(made), 'a plan asks nothing').toBe(0);
  expect((await applied(made)).code).toBe(0);
  expect(await asked(made)).toBe(1);
});

it('validate says everything that is wrong with every file at once, with its place', async () => {
  const attachments = ['none.jpg', 'lies.jpg', '../../out.jpg', '{{a}}.jpg'].map((file) => ({ file }));
  const made = aScene({ files: showing({ text: 'a', attachments }) });
  made.bytes.blobs['live/lies.jpg'] = PNG;
  const { code, stdout } = await made.herald('validate', '--format', 'json');
  expect(code).toBe(1);
  const { diagnostics } = JSON.parse(stdout) as {
    diagnostics: { file: string; code: string; message: string }[];
  };
  expect(diagnostics.map((one) => `${one.code}: ${one.message}`).toSorted()).toEqual([
    expect.stringMatching(/^file-has-variable: /),
    expect.stringMatching(/^media-file: .*image\/png/),
    expect.stringMatching(/^media-file: .*the file does not exist/),
    expect.stringMatching(/^path-outside: .*is outside the workspace/),
  ]);
  for (const one of diagnostics)
    expect(one).toMatchObject({ file: 'live/all.yaml', line: expect.any(Number) });
});

it('import --update takes over the media that someone shows in the place of a file', async () => {
  const made = scene();
  expect((await applied(made)).code).toBe(0);
  const attachments = [{ id: '777', type: 'image' }];
  await editLive(made, 'campaign', { messages: [{ text: 'Look', attachments }] });
  expectEnd(await made.herald('import', '--update'), 0);
  expect(made.files.tree['live/all.yaml']).toContain('777');
  expect(made.files.tree['live/all.yaml']).not.toContain('hello.jpg');
  expect(decisions(await planned(made))).toEqual([]);
});

// VAULT-10
it('media as code is uploaded with its name, its duration, and its guests, partners and tags', async () => {
  const tags = { rf_guest: ['55'], rf_partner: ['66', '67'], rf_tag: ['78'] };
  const wishes = { name: 'first set.jpg', content_type: 'image/pjpeg', duration: 12.5, ...tags };
  const made = scene(showing({ text: 'Look', attachments: [{ file: 'media/hello.jpg', ...wishes }] }));
  const run = await applied(made);
  expect(run.code, messages(run)).toBe(0);
  const records = await made.service((_, world) => world.accounts['101']?.vault.records);
  expect(records?.map(({ metadata }) => metadata)).toMatchObject([wishes]);
  expect(decisions(await planned(made))).toEqual([]);
  expect((await made.herald('drift')).code).toBe(0);
});
