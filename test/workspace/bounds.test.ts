import { describe, expect, test } from 'vitest';
import { CAMPAIGN, CAMPAIGN_WITH, diagnose, placesIn, WORKSPACE } from './declare.ts';

const FILE = 'campaigns/a.yaml';
const codes = async (files: Readonly<Record<string, string>>) =>
  (await diagnose(files)).map(({ code }) => code);

describe('a text', () => {
  test('of 50,000 characters is taken, and one more is refused', async () => {
    expect(await placesIn(CAMPAIGN_WITH.message(`text: ${'x'.repeat(50_000)}`))).toEqual([]);
    expect(await placesIn(CAMPAIGN_WITH.message(`text: ${'x'.repeat(50_001)}`))).toEqual([
      'a.yaml:7:24: too-long',
    ]);
  });

  test('in a file of its own has the same bound, said where the file is named', async () => {
    const named = CAMPAIGN_WITH.message('text_file: t.md');
    expect(await codes({ [FILE]: named, 'campaigns/t.md': 'x'.repeat(50_000) })).toEqual([]);
    expect(await diagnose({ [FILE]: named, 'campaigns/t.md': 'x'.repeat(50_001) })).toMatchObject([
      { code: 'too-long', file: FILE, message: expect.stringContaining('has 50001 characters') },
    ]);
  });

  test('that variables make longer is refused, however much they would make of it', async () => {
    const workspace = WORKSPACE.replace('first_name: Alice', `x: ${'y'.repeat(500_000)}`);
    const text = CAMPAIGN_WITH.message(`text: '${'{{x}}'.repeat(9_000)}'`);
    expect(await diagnose({ 'herald.yaml': workspace, [FILE]: text })).toMatchObject([
      { code: 'too-long', file: FILE, message: expect.stringContaining('.vars.x') },
    ]);
  });
});

test('ignore has 200 paths at most, said once', async () => {
  const ignoring = (count: number) => `ignore: [${Array.from({ length: count }, () => 'rules').join(', ')}]`;
  expect(await placesIn(`${CAMPAIGN}    ${ignoring(200)}\n`)).toEqual([]);
  expect(await placesIn(`${CAMPAIGN}    ${ignoring(66_000)}\n`)).toEqual(['a.yaml:8:13: invalid-value']);
});

describe('a file', () => {
  test('has two million characters at most', async () => {
    const [said] = await diagnose({ [FILE]: `\n${'#'.repeat(2 * 1024 * 1024)}` });
    expect(said).toMatchObject({ code: 'file-too-large', file: FILE, line: 2, column: 2 * 1024 * 1024 });
  });

  test('of many slips says the first one', async () => {
    expect(await placesIn('}\n'.repeat(20_000))).toEqual(['a.yaml:1:1: yaml-syntax']);
  });

  test('of many problems says them all', async () => {
    expect(await diagnose({ [FILE]: `${CAMPAIGN}${'x: 1\n'.repeat(150_000)}` })).toHaveLength(150_000);
  });
});

test('millions of resources in a few lines are refused, at the one that is too many', async () => {
  const names = Array.from({ length: 1_000 }, (_, index) => `a${index}`);
  const accounts = names.map((name, index) => `  ${name}: { id: "${index + 1}" }\n`).join('');
  const item = CAMPAIGN.slice(CAMPAIGN.indexOf('  - ')).replace('[alice]', '[all]');
  const campaigns = names.map((name) => item.replace('Hello', name)).join('');
  const told = await diagnose({
    'herald.yaml': `version: 1\nservice: { simulator: w.json }\naccounts:\n${accounts}groups: { all: [${names.join(', ')}] }\n`,
    [FILE]: `accounts: [all]\ncampaigns:\n${campaigns}`,
  });
  expect(told).toMatchObject([
    { code: 'workspace-too-large', message: expect.stringContaining('more than 100000'), line: 503 },
  ]);
});
