import { describe, expect, it } from 'vitest';
import { campaign, declaring } from '../helpers/declare-live.ts';
import { applied, decisions, liveOn, messages, outcomes, planned, statuses } from '../helpers/flows.ts';
import { aScene } from '../helpers/scene.ts';

const files = (text: string) =>
  declaring({ campaigns: [campaign({ messages: [{ text }], replace: 'create_first' })] });

/** Another operator makes a version of their own while this run replaces one, and stops the old one before this run does. */
async function replacedByTwo(...flags: readonly string[]) {
  const scene = aScene({ files: files('Hey') });
  await applied(scene);
  Object.assign(scene.files.tree, files('Hello'));
  const [old] = await liveOn(scene, '101', 'campaign');
  const theirs = { name: 'Welcome', trigger: 'welcome_message', messages: [{ text: 'Their words' }] };
  await scene.fault({
    kind: 'change_before',
    operation: 'campaigns.create',
    nth: 1,
    seed: { account_id: '101', kind: 'campaign', set: theirs },
  });
  await scene.fault({
    kind: 'change_before',
    operation: 'campaigns.get',
    nth: 1,
    edit: { account_id: '101', kind: 'campaign', id: old?.id ?? '', set: { status: 'paused' } },
  });
  const run = await applied(scene, ...flags);
  return { scene, run };
}

describe('other words of another operator, made while a run replaces the same', () => {
  it('are stopped next to the new version, also where the old one was stopped before this run did', async () => {
    const { scene, run } = await replacedByTwo('--allow', 'adopt');
    expect(outcomes(run), messages(run)).toEqual(['replace failed', 'pause applied']);
    expect(await statuses(scene, 'campaign')).toEqual(['paused', 'paused', 'active']);
    expect(decisions(await planned(scene))).toEqual([]);
  });

  it('are named where no one has allowed to stop them', async () => {
    const { scene, run } = await replacedByTwo();
    const [, theirs = ''] = (await liveOn(scene, '101', 'campaign')).map(({ id }) => id);
    expect(outcomes(run), messages(run)).toEqual(['replace failed', 'blocked not_attempted']);
    expect(run.report.outcomes.map(({ live_id: id }) => id)).toContain(theirs);
  });
});
