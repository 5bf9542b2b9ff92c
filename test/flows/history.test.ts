import { describe, expect, it } from 'vitest';
import { historyDiffShape } from '../../src/domain/reports.ts';
import { listShape } from '../../src/cli/schemas.ts';
import { SEND, errorOf } from '../helpers/chats.ts';
import { broadcast, campaign, declaring } from '../helpers/declare-live.ts';
import { applied, documentOf } from '../helpers/flows.ts';
import { anIntent, textOf } from '../helpers/ledger-builders.ts';
import { addLineOfNow } from '../helpers/line-of-now.ts';
import { aScene, LEDGER_FILE, type Scene } from '../helpers/scene.ts';

const DAY_MS = 86_400_000;
const WELCOME = 'alice/campaign/Welcome';

function declare(scene: Scene, text: string): void {
  Object.assign(
    scene.files.tree,
    declaring({ campaigns: [campaign({ messages: [{ text }] })], broadcasts: [broadcast()] }),
  );
}

/** Two versions of a campaign a day apart, a broadcast, and a chat message. */
async function aYearOfWork(): Promise<Scene> {
  const scene = aScene();
  declare(scene, 'Hey, good to have you here with us');
  await applied(scene);
  scene.clock.move(DAY_MS);
  declare(scene, 'Hey, great to have you here with us');
  await applied(scene);
  await scene.herald(...SEND, '--text', 'Hi there', '--yes');
  return scene;
}

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
      'chat.send alice/chat/chat 101001',
      `create ${WELCOME}`,
      `pause ${WELCOME}`,
      `create ${WELCOME}`,
      'create alice/broadcast/Teaser',
    ]);
    const [newest] = await items(scene, WELCOME, '--limit', '1');
    expect(newest).toMatchObject({
      run: 'run2',
      who: 'tester',
      outcome: 'done',
      supersedes: [expect.any(String)],
      version: expect.stringMatching(/^[0-9a-f]{8}$/),
    });
  });

  it.each([
    ['alice', 5],
    ['bob', 0],
    ['*/chat/*', 1],
    ['alice/campaign', 3],
    ['*Teaser', 0],
    ['*/*/Teaser', 1],
    [WELCOME, 3],
  ])('takes addresses as targets do: %s', async (pattern, number) => {
    expect((await items(await aYearOfWork(), pattern)).length).toBe(number);
  });

  it('goes back as far as it is asked to', async () => {
    const scene = await aYearOfWork();
    expect((await items(scene, '--since', '12h')).length).toBe(3);
    expect((await items(scene, '--since', '30d')).length).toBe(5);
    expect((await items(scene, '--since', '2026-06-02')).length).toBe(3);
    const bad = await scene.herald('history', '--since', 'yesterday', '--format', 'json');
    expect(bad.code).toBe(1);
    expect(errorOf(bad).message).toContain('Cannot read "--since yesterday"');
    expect(errorOf(await scene.herald('history', '--since', '2030-01-01', '--format', 'json')).message).toBe(
      '--since 2030-01-01 is not before now.',
    );
  });

  it('has the formats of every list', async () => {
    const scene = await aYearOfWork();
    const table = await scene.herald('history', '*/broadcast/*');
    expect(table.stdout).toMatch(
      /^at +who +address +action +outcome +live_id +version +message\n2026-06-01T12:00:00Z +tester/,
    );
    const csv = await scene.herald('history', '--format', 'csv', '--columns', 'action,name,run', WELCOME);
    expect(csv.stdout).toBe(
      'action,name,run\ncreate,Welcome,run2\npause,Welcome,run2\ncreate,Welcome,run1\n',
    );
    const lines = (await scene.herald('history', '--format', 'ndjson')).stdout.trimEnd().split('\n');
    expect(lines.length).toBe(5);
    expect((await scene.herald('history', '--columns', 'colour')).code).toBe(1);
    expect((await scene.herald('history', '--format', 'text')).code).toBe(1);
  });

  it('says why it shows nothing, and names what is near', async () => {
    const empty = await aScene().herald('history');
    expect([empty.code, empty.stderr]).toEqual([
      0,
      'Nothing recorded yet: the ledger is missing or empty.\n',
    ]);
    const { stderr } = await (await aYearOfWork()).herald('history', 'alice/campaign/welcom');
    expect(stderr).toContain(`Recorded: ${WELCOME}.`);
  });

  it('shows what it can of a damaged ledger, and fails', async () => {
    const scene = await aYearOfWork();
    scene.files.tree[LEDGER_FILE] = `nonsense\n${scene.files.tree[LEDGER_FILE] ?? ''}`;
    const ran = await scene.herald('history', '--format', 'json');
    expect(ran.code).toBe(1);
    expect(documentOf(ran, listShape)).toMatchObject({ complete: false, items: { length: 5 } });
    expect(ran.stderr).toContain('.herald/ledger.ndjson:1 cannot be read. Run herald ledger check.');
  });

  it('needs no workspace, no key and no service', async () => {
    const scene = aScene();
    delete scene.files.tree['herald.yaml'];
    scene.files.tree[LEDGER_FILE] = textOf([anIntent()]);
    expect(await actions(scene)).toEqual([`create ${WELCOME}`]);
    expect(scene.files.written).toEqual([]);
  });

  it('does not let a name steer the terminal', async () => {
    const scene = aScene();
    scene.files.tree[LEDGER_FILE] = textOf([anIntent({ name: 'x\u001b[2Jy', who: 'a\u202eb' })]);
    const { stdout } = await scene.herald('history');
    expect(stdout).not.toContain('\u001b');
    expect(stdout).not.toContain('\u202e');
  });
});

describe('a ledger with names that steer a terminal', () => {
  it.each([[['nothing*']], [['diff', 'alice/*/*']], [['diff', 'alice/campaign/W*', 'zz']]])(
    'is quoted safely: history %j',
    async (args) => {
      const names = ['Welcome\u001b[2J', 'Other\u001b[2J'];
      const scene = aScene();
      scene.files.tree[LEDGER_FILE] = textOf(
        names.map((name, index) => anIntent({ name, entry: `e-${index}`, content: '\u001b[2J' })),
      );
      const { stdout, stderr } = await scene.herald('history', ...args);
      expect(stderr).not.toBe('');
      expect(stdout + stderr).not.toContain('\u001b');
    },
  );
});

describe('herald history diff', () => {
  it('compares the last two versions, word by word', async () => {
    const { code, stdout } = await (await aYearOfWork()).herald('history', 'diff', WELCOME);
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^alice\/campaign\/Welcome\n {2}from [0-9a-f]{8}, Mon 1 Jun 2026 12:00 UTC by tester: done, \d+\n {2}to {3}/,
    );
    expect(stdout.replace(/\s+/g, ' ')).toContain(
      'messages[0].text: "Hey, good to have you here with us" → "Hey, great to have you here with us"',
    );
    expect(stdout).toMatch(/1 field differs\.\n$/);
  });

  it('shows the words of long texts that changed', async () => {
    const scene = aScene();
    const long = (word: string) =>
      `Hello there, this is a ${word} text that goes on and on for more than one line can hold`;
    declare(scene, long('first'));
    await applied(scene);
    declare(scene, long('second'));
    await applied(scene);
    const { stdout } = await scene.herald('history', 'diff', WELCOME);
    expect(stdout).toContain('this is a [-first-]{+second+} text');
  });

  it('compares the versions that are named by digest, live id or entry, either way round', async () => {
    const scene = await aYearOfWork();
    const [second, , first] = (await items(scene, WELCOME)).map(({ version, live_id, entry }) => [
      String(version),
      String(live_id),
      String(entry),
    ]);
    for (const from of second ?? [])
      for (const to of first ?? []) {
        const ran = await scene.herald('history', 'diff', WELCOME, from, to, '--format', 'json');
        const { fields } = documentOf(ran, historyDiffShape);
        expect(fields).toEqual([
          {
            path: 'messages[0].text',
            old: 'Hey, great to have you here with us',
            new: 'Hey, good to have you here with us',
          },
        ]);
      }
    const same = await scene.herald('history', 'diff', WELCOME, second?.[0] ?? '');
    expect(same.stdout).toContain('Both have the same content.');
  });

  it.each([
    [['alice/campaign/Other'], 'no-history'],
    [['alice'], 'several-addresses'],
    [['alice/broadcast/Teaser'], 'no-two-versions'],
    [['alice/chat/chat 101001'], 'no-two-versions'],
    [[WELCOME, 'ffff'], 'no-such-version'],
    [[WELCOME, ''], 'ambiguous-version'],
  ])('says what it cannot compare: %j', async (args, code) => {
    const ran = await (await aYearOfWork()).herald('history', 'diff', ...args, '--format', 'json');
    expect([ran.code, errorOf(ran).code]).toEqual([1, code]);
    expect(errorOf(ran).hint).not.toBeNull();
  });

  it('says what is missing, which may be the version that is looked for', async () => {
    const scene = await aYearOfWork();
    const archive = '.herald/ledger-archive-2026-01-01.ndjson';
    scene.files.tree[archive] = '{"v":1,"at":"20';
    const cut = await scene.herald('history', 'diff', WELCOME);
    expect([cut.code, cut.stdout]).toEqual([1, expect.stringContaining('1 field differs.')]);
    expect(cut.stderr).toContain(`${archive}:1 cannot be read. Restore that from git or a backup.`);
    delete scene.files.tree[archive];
    scene.clock.move(400 * 86_400_000);
    addLineOfNow(scene);
    await scene.herald('ledger', 'compact', '--drop');
    const dropped = await scene.herald('history', 'diff', WELCOME);
    expect([dropped.code, dropped.stderr]).toEqual([1, expect.stringContaining('it was dropped (tester).')]);
  });

  it('says that the content is not on record any more', async () => {
    const scene = aScene();
    scene.files.tree[LEDGER_FILE] = textOf([anIntent(), anIntent({ entry: 'r-2', content: 'd' })]);
    const ran = await scene.herald('history', 'diff', WELCOME, '--format', 'json');
    expect(errorOf(ran)).toMatchObject({ code: 'no-content' });
  });

  it('takes none of the flags of the list that it stands under', async () => {
    const ran = await (await aYearOfWork()).herald('history', 'diff', WELCOME, '--limit', '3');
    expect(ran.code).toBe(1);
    expect(ran.stderr).toContain('--limit works only with herald history, not with diff');
  });
});
