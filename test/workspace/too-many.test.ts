import { expect, test } from 'vitest';
import { loadDeclared } from '../../src/workspace/load.ts';
import { CAMPAIGN, WORKSPACE } from './declare.ts';
import { memoryFiles } from './memory-files.ts';

test('millions of resources in a few lines are refused, at the one that is too many', async () => {
  const names = Array.from({ length: 1_000 }, (_, index) => `a${index}`);
  const accounts = names.map((name, index) => `  ${name}: { id: "${index + 1}" }\n`).join('');
  const campaigns = Array.from(
    { length: 1_000 },
    (_, index) =>
      `  - { name: c${index}, accounts: [all], trigger: welcome_message, action: send_message, audience: everyone, messages: [{ text: hi }] }\n`,
  );
  const files = memoryFiles({
    'herald.yaml': `version: 1\nservice: { simulator: world.json }\naccounts:\n${accounts}groups: { all: [${names.join(', ')}] }\nfiles: ["campaigns/*.yaml"]\n`,
    'campaigns/all.yaml': `campaigns:\n${campaigns.join('')}`,
  });
  const loaded = await loadDeclared(files, { env: {} });
  expect(loaded).toMatchObject({
    kind: 'invalid',
    diagnostics: [
      {
        code: 'too-many-resources',
        message: expect.stringContaining('more than 100000'),
        file: 'campaigns/all.yaml',
        line: 102,
      },
    ],
  });
});

test('more problems than a call takes arguments are all reported', async () => {
  const text = `${CAMPAIGN}${'x: 1\n'.repeat(150_000)}`;
  const files = memoryFiles({ 'herald.yaml': WORKSPACE, 'campaigns/a.yaml': text });
  const loaded = await loadDeclared(files, { env: {} });
  expect(loaded.kind === 'invalid' && loaded.diagnostics.length).toBe(150_000);
});
