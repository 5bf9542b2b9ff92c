import { expect, it } from 'vitest';
import { applyReportShape } from '../../src/domain/change.ts';
import { campaign, declaring } from '../helpers/declare-live.ts';
import { createsSent, documentOf, outcomes } from '../helpers/flows.ts';
import { aScene, WORKSPACE } from '../helpers/scene.ts';

it('outside a repository, the rules of the workspace itself block what no one can have approved', async () => {
  const rule = 'policy: { approvals: [{ match: "*/campaign/Two" }] }\n';
  const files = declaring({ campaigns: [campaign({ name: 'One' }), campaign({ name: 'Two' })] });
  const scene = aScene({ files: { ...files, 'herald.yaml': `${WORKSPACE}${rule}` } });
  expect((await scene.herald('plan', '--out', 'plan.json')).code).toBe(0);
  const ran = await scene.herald(
    'ci',
    'apply',
    '--provider',
    'generic',
    '--plan',
    'plan.json',
    '--format',
    'json',
  );
  const report = documentOf(ran, applyReportShape);
  expect([ran.code, outcomes({ report }).toSorted()]).toEqual([
    5,
    ['blocked not_attempted', 'create applied'],
  ]);
  expect(ran.stdout).toContain('Not approved: policy.approvals asks for 1 approval');
  expect(await createsSent(scene)).toBe(1);
});
