import { describe, expect, it } from 'vitest';
import { decisions, liveOn, messages, outcomes, planned, statuses } from '../helpers/flows.ts';
import { replacedByTwo } from '../helpers/replaced-by-two.ts';

const THEIRS = { text: 'Their words', old: 'paused' } as const;

describe('other words of another operator, made while a run replaces the same', () => {
  it('are stopped next to the new version, also where the old one was stopped before this run did', async () => {
    const { scene, run } = await replacedByTwo(THEIRS, '--allow', 'adopt');
    expect(outcomes(run), messages(run)).toEqual(['replace failed', 'pause applied']);
    expect(await statuses(scene, 'campaign')).toEqual(['paused', 'paused', 'active']);
    expect(decisions(await planned(scene))).toEqual([]);
  });

  it('are named where no one has allowed to stop them', async () => {
    const { scene, run } = await replacedByTwo(THEIRS);
    const [, theirs = ''] = (await liveOn(scene, '101', 'campaign')).map(({ id }) => id);
    expect(outcomes(run), messages(run)).toEqual(['replace failed', 'blocked not_attempted']);
    expect(run.report.outcomes.map(({ live_id: id }) => id)).toContain(theirs);
  });
});
