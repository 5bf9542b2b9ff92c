import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { applyReportShape, errorReportShape, planShape } from '../../src/domain/change.ts';
import { campaign, declaring } from '../helpers/declare-live.ts';
import { documentOf } from '../helpers/flows.ts';
import { aScene, type Scene } from '../helpers/scene.ts';

const welcome = declaring({ campaigns: [campaign()] });
const two = declaring({ campaigns: [campaign(), campaign({ name: 'Two', messages: [{ text: 'Two' }] })] });

interface Case {
  readonly code: number;
  readonly title: string;
  readonly args: readonly string[];
  readonly files?: Record<string, string>;
  readonly prepare?: (scene: Scene) => Promise<unknown>;
  readonly shape: z.ZodType;
}

const blocked = (scene: Scene) =>
  scene.service((control) => control.seedCampaign('101', { name: 'Welcome', messages: [{ text: 'Mine' }] }));
const standing = (scene: Scene) => scene.herald('apply', '--yes');

const CASES: readonly Case[] = [
  { code: 0, title: 'a plan with something to do', args: ['plan'], shape: planShape },
  { code: 0, title: 'an apply', args: ['apply', '--yes'], shape: applyReportShape },
  { code: 0, title: 'no drift', args: ['drift'], prepare: standing, shape: planShape },
  {
    code: 1,
    title: 'files that do not hold',
    args: ['plan'],
    files: { 'live/all.yaml': 'campaign: []' },
    shape: errorReportShape,
  },
  { code: 1, title: 'an apply with no one to ask', args: ['apply'], shape: errorReportShape },
  // ACCOUNT-11
  {
    code: 1,
    title: 'a key that may not read',
    args: ['apply', '--yes'],
    prepare: (scene) =>
      scene.service((control) => control.addKey({ key: 'sim-key', permissions: ['auto_messages.edit'] })),
    shape: errorReportShape,
  },
  {
    code: 2,
    title: 'a plan with --detailed-exitcode',
    args: ['plan', '--detailed-exitcode'],
    shape: planShape,
  },
  { code: 2, title: 'a drift', args: ['drift'], shape: planShape },
  {
    code: 3,
    title: 'a stop that gets no answer',
    args: ['campaigns', 'pause', 'alice/campaign/Welcome', '--yes'],
    prepare: async (scene) => {
      await standing(scene);
      const operation = 'campaigns.set-status';
      await scene.fault({ kind: 'broken_answer', operation, how: 'reset', when: 'before_commit' });
    },
    shape: applyReportShape,
  },
  // ACCOUNT-12
  {
    code: 4,
    title: 'a key that is refused after the first create',
    args: ['apply', '--yes'],
    files: two,
    prepare: (scene) => scene.fault({ kind: 'refusal', operation: 'campaigns.create', status: 403, nth: 2 }),
    shape: applyReportShape,
  },
  { code: 5, title: 'a blocked plan', args: ['plan'], prepare: blocked, shape: planShape },
  {
    code: 5,
    title: 'an apply that leaves something to a person',
    args: ['apply', '--yes'],
    files: two,
    prepare: blocked,
    shape: applyReportShape,
  },
];

describe.each(CASES)('exit $code: $title', ({ code, args, files = welcome, prepare, shape }) => {
  it('in text, and in JSON as exactly one document on stdout', async () => {
    const scene = aScene({ files });
    await prepare?.(scene);
    const run = async (...format: string[]) => {
      const ran = await scene.copy().herald(...args, ...format);
      expect(ran.code, ran.stderr + ran.stdout).toBe(code);
      return ran;
    };
    const { stdout, stderr } = await run();
    expect(stdout + stderr).not.toBe('');
    expect(stdout + stderr).not.toMatch(/\n {4}at .*:\d+/);
    documentOf(await run('--format', 'json'), shape);
  });
});

it('what was applied is reported also when the look afterwards fails', async () => {
  const scene = aScene({ files: welcome });
  const how = { how: '500', when: 'after_commit', nth: 2, times: 100 } as const;
  await scene.fault({ kind: 'broken_answer', operation: 'campaigns.list', ...how });
  const ran = await scene.herald('apply', '--yes', '--format', 'json');
  expect(ran.code).toBe(0);
  expect(documentOf(ran, applyReportShape).summary.applied).toBe(1);
  expect(ran.stderr).toContain('The result could not be verified');
});
