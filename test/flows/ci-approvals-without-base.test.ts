import { expect, it } from 'vitest';
import { applyReportShape } from '../../src/domain/change.ts';
import { campaign, declaring } from '../helpers/declare-live.ts';
import { createsSent, documentOf, outcomes } from '../helpers/flows.ts';
import { aScene, WORKSPACE } from '../helpers/scene.ts';

it('without GitHub or GitLab, ci.require_approval blocks what no one can be asked about', async () => {
  const files = declaring({ campaigns: [campaign({ name: 'One' })] });
  const scene = aScene({
    files: { ...files, 'herald.yaml': `${WORKSPACE}ci: { require_approval: all }\n` },
  });
  expect((await scene.herald('plan', '--out', 'plan.json')).code).toBe(0);
  const flags = ['--simulator', '--provider', 'generic', '--plan', 'plan.json', '--format', 'json'];
  const ran = await scene.herald('ci', 'apply', ...flags);
  const report = documentOf(ran, applyReportShape);
  expect([ran.code, outcomes({ report })]).toEqual([5, ['blocked not_attempted']]);
  expect(ran.stdout).toContain('Without GitHub or GitLab, there is nothing to ask.');
  expect(await createsSent(scene)).toBe(0);
});
