import { expect, it } from 'vitest';
import { campaign, declaring } from '../helpers/declare-live.ts';
import { applied, outcomes } from '../helpers/flows.ts';
import { aScene } from '../helpers/scene.ts';

const words = (name: string) => campaign({ name, messages: [{ text: name }] });

it('what was sent is reported, although no list can be read after it', async () => {
  const scene = aScene({ files: declaring({ campaigns: [words('A'), words('B')] }) });
  const broken = { kind: 'broken_answer', how: '502', nth: 2 } as const;
  await scene.fault({ ...broken, operation: 'campaigns.create', when: 'after_commit' });
  await scene.fault({ ...broken, operation: 'campaigns.list', when: 'before_commit', times: 1_000 });
  const run = await applied(scene);
  expect([run.code, outcomes(run)]).toEqual([3, ['create applied', 'create unknown']]);
  expect(run.stderr).toContain(
    'not-verified: The result could not be verified: the campaigns of account alice',
  );
});
