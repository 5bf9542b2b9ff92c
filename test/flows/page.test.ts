import { describe, expect, it } from 'vitest';
import type { Plan } from '../../src/domain/change.ts';
import { broadcast, campaign, declaring } from '../helpers/declare-live.ts';
import { aScene, WORKSPACE } from '../helpers/scene.ts';
import { readBack } from '../../src/page/read-back.ts';
import { expectEnd } from '../helpers/flows.ts';

const text = 'Hi {{first_name}}, find me on Telegram';
const BOTH = ['alice', 'bob'];
const FILES = {
  'herald.yaml': `${WORKSPACE}policy: { banned_words: { words: [telegram], level: warn } }\n`,
  ...declaring({ campaigns: [campaign({ messages: [{ text }] })], broadcasts: [broadcast()] }, BOTH),
};

describe('plan --html', () => {
  it('draws the plan as a page that holds the JSON of the same plan', async () => {
    const scene = aScene({ files: FILES });
    const { code, stdout, stderr } = await scene.herald('plan', '--html=out/plan.html', '--format=json');
    expect(code).toBe(0);
    expect(stderr).toContain('Page written to out/plan.html.');
    const page = readBack(await scene.files.readText('out/plan.html'));
    expect(page).toEqual({ title: 'plan', document: JSON.parse(stdout) as Plan });
  });

  it('leaves nothing behind where it cannot be written', async () => {
    const scene = aScene({ files: FILES });
    scene.files.onWrite = (path) => {
      if (path === 'plan.html') throw new Error('EACCES: permission denied');
    };
    const { code } = await scene.herald('plan', '--html', 'plan.html');
    expect(code).toBe(1);
    expect(await scene.files.exists('plan.html')).toBe(false);
  });
});

describe('plan show', () => {
  const planned = async () => {
    const scene = aScene({ files: FILES });
    const { stdout } = await scene.herald('plan', '--html=plan.html', '--out=plan.json', '--format=json');
    await scene.files.writeAtomically('printed.json', stdout);
    return scene;
  };

  it.each(['plan.html', 'plan.json', 'printed.json'])('shows the plan of %s', async (file) => {
    const scene = await planned();
    const { code, stdout } = await scene.herald('plan', 'show', file);
    expect(code).toBe(0);
    expect(stdout).toContain('"Welcome" on 2 accounts: alice, bob');
  });

  it.each([
    ['herald.yaml', 'does not hold a plan'],
    ['missing.json', 'Cannot use missing.json'],
  ])('refuses %s', async (file, words) => {
    expectEnd(await (await planned()).herald('plan', 'show', file), 1, words);
  });
});

it('preview draws what the files declare, with the findings of policies, and asks the service nothing', async () => {
  const scene = aScene({ files: FILES, network: () => Promise.reject(new Error('asked')) });
  const { code, stdout } = await scene.herald('preview');
  expect(code).toBe(0);
  expect(stdout).toContain('Open preview.html in a browser.');
  const page = readBack(await scene.files.readText('preview.html'));
  expect(page?.title).toBe('preview');
  expect(page?.document).toMatchObject({
    changes: [{ action: 'create' }, { action: 'create' }, { action: 'create' }, { action: 'create' }],
    diagnostics: [{ code: 'policy-banned-word' }, { code: 'policy-banned-word' }],
  });
});
