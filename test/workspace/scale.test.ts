import { expect, test, vi } from 'vitest';
import { loadDeclared } from '../../src/workspace/load.ts';
import { YamlSource } from '../../src/workspace/yaml.ts';
import { WORKSPACE } from './declare.ts';
import { memoryFiles } from './memory-files.ts';

/** One file with many campaigns, the last `wrong` of which have an unknown key. */
function manyCampaigns(count: number, wrong = 0): string {
  const item = (index: number): string =>
    `  - { name: Campaign ${index}, trigger: welcome_message, action: send_message, audience: everyone, messages: [{ text: "Hi ${index}" }]${index < count - wrong ? '' : ', bogus: 1'} }\n`;
  return `accounts: [alice]\ncampaigns:\n${Array.from({ length: count }, (_, index) => item(index)).join('')}`;
}

test('places are looked up once per resource or problem', async () => {
  const lookUps = vi.spyOn(YamlSource.prototype, 'placeOf');
  const countFor = async (count: number, wrong: number): Promise<number> => {
    lookUps.mockClear();
    const files = memoryFiles({ 'herald.yaml': WORKSPACE, 'campaigns/a.yaml': manyCampaigns(count, wrong) });
    await loadDeclared(files, { env: {} });
    return lookUps.mock.calls.length;
  };
  const base = (await countFor(1, 0)) - 1;
  expect([await countFor(100, 0), await countFor(1_000, 0), await countFor(1_000, 10)]).toEqual([
    base + 100,
    base + 1_000,
    base + 1_000,
  ]);
  lookUps.mockRestore();
});

test('every one of many accounts is found at its place', async () => {
  const accounts = Array.from({ length: 100 }, (_, index) => `  a${index}: { id: "${index}" }\n`).join('');
  const text = `version: 1\nservice: { simulator: w.json }\naccounts:\n${accounts}  last: { id: "100", nam: x }\n`;
  const files = memoryFiles({ 'herald.yaml': text, 'campaigns/a.yaml': 'campaigns: []\n' });
  const broken = await loadDeclared(files, { env: {} });
  expect(broken.kind === 'invalid' ? broken.diagnostics : []).toMatchObject([
    {
      code: 'unknown-key',
      line: 104,
      column: 22,
      message: expect.stringContaining('Known here: id, username'),
    },
  ]);
  const whole = memoryFiles({
    'herald.yaml': text.replace(', nam: x', ''),
    'campaigns/a.yaml': 'campaigns: []\n',
  });
  const loaded = await loadDeclared(whole, { env: {} });
  const known = loaded.kind === 'loaded' ? loaded.workspace.accounts : [];
  expect(known.map(({ source }) => source.line)).toEqual(
    Array.from({ length: 101 }, (_, index) => index + 4),
  );
});
