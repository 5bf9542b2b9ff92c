import { describe, expect, it } from 'vitest';
import { historyDiffShape, listShape } from '../../src/cli/schemas.ts';
import { digest } from '../../src/domain/digest.ts';
import { digestText } from '../../src/domain/text.ts';
import type { NewRequest } from '../../src/state/shapes.ts';
import { campaign, declaring } from '../helpers/declare-live.ts';
import { documentOf, errorOf, standing } from '../helpers/flows.ts';
import { JPEG, mediaOf } from '../helpers/media.ts';
import { madeOnce } from '../helpers/made-once.ts';
import { MESSAGE, recorded } from './recorded.ts';
import { aScene, type Scene } from '../helpers/scene.ts';

const DAY_MS = 86_400_000;
const WELCOME = 'alice/campaign/Welcome';

/** A create of a version with this text, as an apply records it. */
function create(
  text: string,
  more: Partial<NewRequest> & { readonly replaces?: string[] } = {},
): Partial<NewRequest> {
  const { replaces = [], ...request } = more;
  const content = digest(text, 'whole').slice('sha256:'.length);
  const wanted = {
    audience_filters: [],
    messages: [{ text: digestText(text), price_gross: text.length }],
  };
  const asked = { version: 1, texts: content, hidden: null };
  return { content, ...request, asked: { ...asked, hour: null, baseline: [], replaces, wanted } };
}

const PAUSED: Partial<NewRequest> = {
  operation: 'campaigns.setStatus',
  live_id: '5001',
  target: 'paused',
  purpose: 'replace',
};

/** Two versions of a campaign a day apart, a broadcast, and a chat message. */
const aYearOfWork = madeOnce(async () => {
  const scene = aScene();
  const broadcast = { kind: 'broadcast', operation: 'broadcasts.create', name: 'Teaser' } as const;
  await recorded(scene, create('Soon', broadcast), { outcome: 'done', live_id: '9001' });
  await recorded(scene, create('Good to have you here'), { outcome: 'done', live_id: '5001' });
  scene.clock.move(DAY_MS);
  await recorded(scene, PAUSED, { outcome: 'done' });
  await recorded(scene, create('Great to have you here', { replaces: ['5001'] }), {
    outcome: 'done',
    live_id: '5002',
  });
  await recorded(scene, MESSAGE, { outcome: 'done' });
  return scene;
});

async function items(scene: Scene, ...args: string[]): Promise<Readonly<Record<string, unknown>>[]> {
  const ran = await scene.herald('history', '--format', 'json', ...args);
  return documentOf(ran, listShape).items as Readonly<Record<string, unknown>>[];
}

async function actions(scene: Scene, ...args: string[]): Promise<string[]> {
  return (await items(scene, ...args)).map(({ action, address }) => `${String(action)} ${String(address)}`);
}

describe('herald history', () => {
  it('shows everything that Herald did, newest first, by hand and by plan', async () => {
    const scene = await aYearOfWork();
    expect(await actions(scene)).toEqual([
      'chat.send alice/message/101001',
      `create ${WELCOME}`,
      `pause ${WELCOME}`,
      `create ${WELCOME}`,
      'create alice/broadcast/Teaser',
    ]);
    const [newest] = await items(scene, WELCOME, '--limit', '1');
    expect(newest).toMatchObject({
      who: 'mia',
      live_id: '5002',
      outcome: 'done',
      supersedes: ['5001'],
      version: expect.stringMatching(/^[0-9a-f]{8}$/),
    });
  });

  it.each([
    ['alice', 5],
    ['alice/campaign', 3],
    ['*/*/Teaser', 1],
  ])('takes addresses as targets do: %s', async (pattern, number) => {
    expect((await items(await aYearOfWork(), pattern)).length).toBe(number);
  });

  it('of one campaign fits a terminal of 80 columns at any time of day', async () => {
    const scene = aScene({ files: declaring({ campaigns: [campaign()] }), who: 'tester' });
    scene.columns = 80;
    scene.clock.move(123);
    await scene.herald('apply', '--yes');
    for (const act of ['pause', 'activate']) await scene.herald('campaigns', act, WELCOME, '--yes');
    const { stdout } = await scene.herald('history', WELCOME);
    expect(stdout).toMatch(
      /^at +who +action +outcome +live_id +version\n2026-06-01T12:00:\d\dZ +tester +activate/,
    );
  });
});

describe('herald history diff', () => {
  it('compares the last two versions, field by field', async () => {
    const { code, stdout } = await (await aYearOfWork()).herald('history', 'diff', WELCOME);
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^alice\/campaign\/Welcome\n {2}from [0-9a-f]{8}, Mon 1 Jun 2026 12:00 UTC by mia: done, 5001\n {2}to {3}/,
    );
    // The state has no text of a message.
    expect(stdout).toContain(
      'messages[0].text: "(not stored, digest db273bfc)" → "(not stored, digest ebcbdc8d)"',
    );
    expect(stdout).toContain('messages[0].price_gross: $21.00 → $22.00\n2 fields differ.\n');
    expect(stdout).toMatch(/Look at the files in git\.\n$/);
  });

  it('compares the versions that are named by digest, live id or entry, either way round', async () => {
    const scene = await aYearOfWork();
    const [second, , first] = (await items(scene, WELCOME)).map(({ version, live_id, entry }) => [
      String(version),
      String(live_id),
      String(entry),
    ]);
    for (const [at, from] of (second ?? []).entries()) {
      const to = first?.at(at - 1) ?? '';
      const ran = await scene.herald('history', 'diff', WELCOME, from, to, '--format', 'json');
      const { fields } = documentOf(ran, historyDiffShape);
      expect(fields).toMatchObject([
        { path: 'messages[0].text' },
        { path: 'messages[0].price_gross', old: 22, new: 21 },
      ]);
    }
    const same = await scene.herald('history', 'diff', WELCOME, second?.[0] ?? '');
    expect(same.stdout).toContain('Both have the same content.');
  });

  it.each([
    [['alice/campaign/Other'], 'not-found'],
    [['alice'], 'ambiguous-name'],
    [['alice/broadcast/Teaser'], 'not-found'],
    [['alice/message/101001'], 'not-found'],
    [[WELCOME, 'ffff'], 'not-found'],
    [[WELCOME, ''], 'ambiguous-name'],
  ])('says what it cannot compare: %j', async (args, code) => {
    const ran = await (await aYearOfWork()).herald('history', 'diff', ...args, '--format', 'json');
    expect([ran.code, errorOf(ran).code]).toEqual([1, code]);
    expect(errorOf(ran).hint).not.toBeNull();
  });
});

it('herald history show prints the last version as a file, with a mark where git has the text', async () => {
  const { code, stdout } = await (await aYearOfWork()).herald('history', 'show', WELCOME);
  expect([code, stdout]).toEqual([
    0,
    expect.stringMatching(
      /^# Version [0-9a-f]{8} of alice\/campaign\/Welcome, 2026-06-02T12:00:00\.000Z by mia: done\n\n/,
    ),
  ]);
  expect(stdout).toContain(`accounts:
  - alice
campaigns:
  - name: Welcome
    audience: everyone
    messages:
      - text_file: text-from-git-1.md # TODO: take the text from git
        price_gross: 22
`);
});

it('herald history show writes a medium of the vault by its id, also that of a file of the workspace', async () => {
  const attachments = [{ file: 'hello.jpg' }, { id: '55012', type: 'image' }];
  const scene = aScene({ files: declaring({ campaigns: [campaign({ messages: [{ attachments }] })] }) });
  scene.bytes.blobs['live/hello.jpg'] = mediaOf(JPEG, 1000);
  expect((await scene.herald('apply', '--yes')).code).toBe(0);
  const { stdout } = await scene.herald('history', 'show', WELCOME);
  expect(stdout).toContain('  - name: Welcome\n');
  expect(stdout).toMatch(/id: '\d{18}'\n +type: image\n +- id: '55012'\n +type: image\n/);
});

it('herald history show says where the versions from before a rename are', async () => {
  const scene = await standing(declaring({ campaigns: [campaign()] }));
  const renamed = [campaign({ name: 'Hello', renamed_from: 'Welcome' })];
  Object.assign(scene.files.tree, declaring({ campaigns: renamed }));
  await scene.herald('apply', '--yes');
  const show = async () => (await scene.herald('history', 'show', 'alice/campaign/Hello')).stderr;
  expect(await show()).toContain('A version from before a rename is under the old name.');
  await scene.herald('campaigns', 'pause', 'alice/campaign/Hello', '--yes');
  expect(await show()).toContain('A version from before a rename is under the old name.');
});
