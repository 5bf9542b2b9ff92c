import { describe, expect, it } from 'vitest';
import { errorOf } from '../helpers/chats.ts';
import { aScene, type Scene } from '../helpers/scene.ts';

interface Listed {
  readonly items: readonly Record<string, unknown>[];
  readonly complete: boolean;
  readonly pages?: readonly Record<string, unknown>[];
}

async function listed(scene: Scene, ...words: string[]): Promise<Listed> {
  const ran = await scene.herald(...words, '--format', 'json');
  expect(ran.code, ran.stderr + ran.stdout).toBe(0);
  return JSON.parse(ran.stdout) as Listed;
}

const TRAFFIC = ['traffic', 'subscriptions', '--account', 'alice', '--from', '2020-01-01'] as const;

// LIST-1
describe('a list that --limit ended', () => {
  it('has the cursor to go on, and goes on there', async () => {
    const scene = aScene();
    const all = await listed(scene, ...TRAFFIC, '--limit', '20');
    const first = await listed(scene, ...TRAFFIC, '--limit', '10');
    const [page] = first.pages ?? [];
    expect(page).toEqual({ account: 'alice', next_cursor: expect.any(String) });
    const rest = await listed(scene, ...TRAFFIC, '--limit', '10', '--cursor', String(page?.['next_cursor']));
    expect([...first.items, ...rest.items]).toEqual(all.items);
  });

  it('names the cursor for people', async () => {
    const ran = await aScene().herald(...TRAFFIC, '--limit', '10');
    expect(ran.stderr).toMatch(/There may be more rows of alice\. To go on: --cursor \S+/);
  });

  it('has no cursor in the middle of a page, where it would skip rows', async () => {
    expect((await listed(aScene(), ...TRAFFIC, '--limit', '7')).pages).toBeUndefined();
  });

  it('takes a cursor for one account only', async () => {
    const ran = await aScene().herald(
      'traffic',
      'subscriptions',
      '--from',
      '7d',
      '--cursor',
      'x',
      '--format',
      'json',
    );
    expect(errorOf(ran)).toMatchObject({ code: 'bad-flag', hint: 'Add --account.' });
  });
});

describe('where a list begins', () => {
  it.each([
    ['campaigns list', '--offset', 1],
    ['broadcasts list', '--offset', 1],
    ['vault folders', '--offset', 1],
    ['team members', '--offset', 1],
    ['payouts list', '--offset', 1],
  ])('%s %s leaves rows out', async (list, flag, offset) => {
    const scene = aScene();
    await scene.service((control) => {
      for (const name of ['A', 'B', 'C']) {
        control.seedCampaign('101', { name });
        control.seedBroadcast('101', { name });
      }
    });
    const words = list.startsWith('team') ? list.split(' ') : [...list.split(' '), '--account', 'alice'];
    const all = await listed(scene, ...words);
    const some = await listed(scene, ...words, flag, String(offset));
    expect(some.items).toEqual(all.items.slice(offset));
  });

  it('an order that the document does not name is sent, with a warning', async () => {
    const ran = await aScene().herald(
      'chat',
      'messages',
      '101001',
      '--account',
      'alice',
      '--order',
      'banana',
    );
    expect(ran.stderr).toContain('"banana" is sent as the order.');
    const asc = await aScene().herald('chat', 'messages', '101001', '--account', 'alice', '--order', 'asc');
    expect(asc.stderr).not.toContain('is sent as the order');
  });
});

describe('the creators of team metrics', () => {
  it('may be aliases, groups and ids, with commas', async () => {
    const scene = aScene();
    const yaml = scene.files.tree['herald.yaml'];
    scene.files.tree['herald.yaml'] = `${yaml as string}groups: { both: [alice, bob] }\n`;
    const url = async (...flags: string[]) => {
      const ran = await scene.herald('team', 'metrics', '--from', '7d', ...flags, '-v');
      expect(ran.code, ran.stderr).toBe(0);
      return /creator_ids=\S+?(?=&from|&to|&limit|&offset| )/.exec(ran.stderr)?.[0];
    };
    expect(await url('--creator', '101,102')).toBe('creator_ids=101&creator_ids=102');
    expect(await url('--creator', 'alice', '--creator', '103')).toBe('creator_ids=103&creator_ids=101');
    expect(await url('--creator', 'both')).toBe('creator_ids=101&creator_ids=102');
  });
});

// READ-10
describe('service.list_style', () => {
  it.each([
    ['repeat', 'creator_ids=101&creator_ids=102'],
    ['brackets', 'creator_ids%5B%5D=101&creator_ids%5B%5D=102'],
    ['comma', 'creator_ids=101%2C102'],
  ])('%s writes lists in queries as %s', async (style, words) => {
    const scene = aScene();
    const yaml = scene.files.tree['herald.yaml'] as string;
    scene.files.tree['herald.yaml'] = yaml.replace('.json }', `.json, list_style: ${style} }`);
    const ran = await scene.herald('team', 'metrics', '--from', '7d', '--creator', '101,102', '-v');
    expect(ran.stderr).toContain(words);
  });
});
