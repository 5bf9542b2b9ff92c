import { describe, expect, it } from 'vitest';
import { applyReportShape } from '../../src/domain/change.ts';
import { broadcast, campaign, declaring } from '../helpers/declare-live.ts';
import { applied, documentOf, messages, outcomes, statuses } from '../helpers/flows.ts';
import { aScene, type Scene } from '../helpers/scene.ts';

const welcome = declaring({ campaigns: [campaign()] });

describe('before anything is sent, a person agrees', () => {
  it('to a question with the numbers and what cannot be undone', async () => {
    const scene = aScene({ files: welcome });
    await applied(scene);
    Object.assign(
      scene.files.tree,
      declaring({
        campaigns: [campaign({ status: 'archived' }), campaign({ name: 'New', messages: [{ text: 'New' }] })],
      }),
    );
    const questions: string[] = [];
    scene.answer = (question) => questions.push(question) > 0;
    expect((await scene.herald('apply')).code).toBe(0);
    expect(questions).toEqual([
      'Apply 1 to create, 1 to archive on 1 account at simulator .herald/world.json? 1 of them cannot be undone. Type 2 to apply 2 changes:',
    ]);
  });
});

// ERROR-8
it.each([
  ['after_commit', /From an earlier run: create alice\/campaign\/Welcome \(\d+\) took effect\./, 1],
  ['before_commit', /From an earlier run: create alice\/campaign\/Welcome shows no effect\./, 2],
] as const)(
  'an apply says what became of a create that an earlier one lost %s',
  async (when, said, creates) => {
    const scene = aScene({ files: welcome });
    await scene.fault({ kind: 'broken_answer', operation: 'campaigns.create', how: 'reset', when, nth: 1 });
    await scene.fault({ kind: 'refusal', operation: 'campaigns.list', status: 403, nth: 2 });
    expect((await scene.herald('apply', '--yes')).code).toBe(3);
    const { code, stderr } = await scene.herald('apply', '--yes');
    expect([code, stderr]).toEqual([0, expect.stringMatching(said)]);
    const { requests } = await scene.oracle();
    expect(requests.filter(({ operation }) => operation === 'campaigns.create')).toHaveLength(creates);
  },
);

describe('creates that wait in a queue', () => {
  const broadcasts = (count: number, scheduled_at: string) =>
    declaring(
      {
        broadcasts: Array.from({ length: count }, (_, index) =>
          broadcast({ name: `B${index}`, scheduled_at, messages: [{ text: `T${index}` }] }),
        ),
      },
      ['alice', 'bob'],
    );

  /** An apply that is interrupted when so many of its requests have been answered. */
  const interruptedAtEnd = (scene: Scene, last: number) => {
    let ends = 0;
    const onRecord = (what: string) => {
      if (what === 'end' && (ends += 1) === last) run.interrupt();
      return 'done' as const;
    };
    const run = scene.startAs({ onRecord }, 'apply', '--yes', '--format', 'json');
    return run.ran;
  };

  // BROADCAST-6, LIMIT-3
  it('are looked at again right before each is sent: no schedule comes too near while waiting', async () => {
    const scene = aScene({ files: broadcasts(10, '2026-06-01T13:00Z') });
    // Five minutes and eight seconds before the hour: at one create a second, eight make it.
    scene.clock.move(55 * 60_000 - 8_000);
    const run = await applied(scene);
    expect(run.code).toBe(4);
    const { commits } = await scene.oracle();
    const leads = commits.map(({ at }) => Date.UTC(2026, 5, 1, 13) - Date.parse(at));
    expect(Math.min(...leads)).toBeGreaterThanOrEqual(5 * 60_000 - 1_000);
    expect(commits.length).toBeGreaterThan(5);
    expect(commits.length).toBeLessThan(12);
    expect(run.report.summary).toMatchObject({ applied: commits.length, failed: 20 - commits.length });
    expect(messages(run)).toContain('the service sends a past schedule at once');
  });

  it('but a replace that has begun is brought to its end: nothing is left switched off', async () => {
    const scene = aScene({
      files: declaring({ campaigns: [campaign(), campaign({ name: 'Xmas', messages: [{ text: 'X' }] })] }),
    });
    await applied(scene);
    const reworded = [
      campaign({ messages: [{ text: 'A' }] }),
      campaign({ name: 'Xmas', messages: [{ text: 'B' }] }),
    ];
    Object.assign(scene.files.tree, declaring({ campaigns: reworded }));
    const result = await interruptedAtEnd(scene, 1);
    expect(result.code).toBe(130);
    expect(outcomes({ report: documentOf(result, applyReportShape) })).toEqual([
      'replace applied',
      'replace not_attempted',
    ]);
    expect(await statuses(scene, 'campaign')).toEqual(['paused', 'active', 'active']);
  });
});
