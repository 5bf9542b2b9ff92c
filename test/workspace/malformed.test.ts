import { expect, test } from 'vitest';
import { fc, runs } from '../helpers/properties.ts';
import { CAMPAIGN, load } from './declare.ts';
import type { FileTree } from './memory-files.ts';

/** Loading ends in a value, and whatever it complains about has a place and a code. */
async function endsWell(tree: FileTree): Promise<void> {
  const loaded = await load(tree);
  const diagnostics = loaded.kind === 'loaded' ? loaded.warnings : loaded.diagnostics;
  if (loaded.kind === 'invalid') expect(diagnostics.some(({ severity }) => severity === 'error')).toBe(true);
  for (const { file, line = 0, column = 0, code, message } of diagnostics) {
    expect(Object.keys({ 'herald.yaml': '', ...tree })).toContain(file);
    expect(line).toBeGreaterThan(0);
    expect(column).toBeGreaterThan(0);
    expect(code).toMatch(/^[a-z]+(-[a-z0-9]+)+$/);
    expect(message.trim()).not.toBe('');
  }
}

test('well-formed YAML of any shape is answered with places', async () => {
  const keys = 'accounts campaigns broadcasts messages name rules text __proto__ constructor length';
  const word = fc.constantFrom(...keys.split(' '));
  const value = fc.anything({
    key: word,
    values: [fc.constantFrom(null, true, 0, -1, 1.5, 'alice', 'everyone', '', '2030-01-01T00:00Z')],
    maxDepth: 4,
    maxKeys: 4,
  });
  await fc.assert(
    fc.asyncProperty(value, async (document) => {
      await endsWell({ 'campaigns/a.yaml': JSON.stringify(document) });
      await endsWell({ 'herald.yaml': JSON.stringify(document), 'campaigns/a.yaml': CAMPAIGN });
    }),
    runs(30),
  );
});
