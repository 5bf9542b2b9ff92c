import { expect, it } from 'vitest';
import { anEmptyScene, imported } from '../helpers/imports.ts';

it('an import leaves out a kind that reads like a typing error, until herald.yaml knows it', async () => {
  const scene = anEmptyScene();
  await scene.service((control) =>
    control.seedCampaign('101', {
      name: 'Dated',
      audience_filters: [{ kind: 'subscribed_dates', mode: 'include' }],
    }),
  );
  const first = await imported(scene);
  expect(first.ran.code).toBe(0);
  expect(first.report).toMatchObject({ imported: 0, left_out: [{ code: 'not-expressible', name: 'Dated' }] });
  expect(first.report.left_out[0]?.reason).toContain('known_kinds: ["subscribed_dates"]');
  const herald = scene.files.tree['herald.yaml'] ?? '';
  scene.files.tree['herald.yaml'] = herald.replace(
    'world.json }',
    'world.json, known_kinds: [subscribed_dates] }',
  );
  expect((await imported(scene)).report).toMatchObject({ imported: 1, left_out: [] });
});
