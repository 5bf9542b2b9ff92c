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
