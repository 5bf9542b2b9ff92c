import { describe, expect, it } from 'vitest';
import { planPullRequest, type PlanMade, type PlanRun } from '../../src/ci/plan.ts';
import { WorkspaceNames } from '../../src/ci/workspace-names.ts';
import type { Plan } from '../../src/domain/change.ts';
import { NO_JOB } from '../../src/provider/job.ts';
import type { Provider } from '../../src/provider/provider.ts';
import { memoryRepository } from '../helpers/memory-repository.ts';
import { aPlan } from '../helpers/plan-builders.ts';

const BASE = 'b'.repeat(40);
const FINGERPRINT = `sha256:${'a'.repeat(64)}`;
const RUN: PlanRun = {
  job: { ...NO_JOB, provider: 'gitlab', pullRequest: 7 },
  folder: 'ads/eu',
  version: '1.2.3',
  head: 'c'.repeat(40),
};
const SCOPE: PlanMade['scope'] = {
  base: BASE,
  targeting: { target: [], exclude: [] },
  changed: 1,
  because: null,
};

/** What the job of a plan writes: its comment, and files. */
async function report(diagnostics: Plan['diagnostics'], draw: PlanMade['draw'] = () => 'PLAN') {
  const files: Record<string, string> = {};
  let comment = '';
  const provider = {
    bodyMax: 65_536,
    pullRequest: async () => ({ state: 'open', head: RUN.head }),
    keepText: async (_place: unknown, _marker: string, body: string) => ({ url: (comment = body) }),
  } as unknown as Provider;
  const ports = {
    say: () => undefined,
    provider: async () => provider,
    summary: async () => undefined,
    files: { readText: async () => 'version: 1\nallow: [prune]\n' },
    repository: async () => memoryRepository([{ id: BASE, files: { 'herald.yaml': 'version: 1\n' } }]),
    interrupted: new AbortController().signal,
    write: async (file: string, text: string) => void (files[file] = text),
  };
  const plan = { ...aPlan([], { diagnostics }), fingerprint: FINGERPRINT };
  const made: PlanMade = { plan, title: 'plan', scope: SCOPE, accounts: [], counts: '1 to create', draw };
  await planPullRequest(ports, RUN, { base: undefined, hasKey: true, simulator: false }, async () => made);
  return { comment, files };
}

describe('the comment of a plan', () => {
  it('has the marker, notices, the plan and where it is from, in this order', async () => {
    const { comment } = await report([]);
    expect(new WorkspaceNames(RUN.folder).readMarker(comment)).toMatchObject({
      plan: FINGERPRINT,
      head: RUN.head,
    });
    const footer = 'Planned for cccccccccccc, compared with bbbbbbbbbbbb.';
    const places = ['> **This changes the settings', 'PLAN', footer].map((part) => comment.indexOf(part));
    expect(places).toEqual(places.toSorted((left, right) => left - right));
    expect(places).not.toContain(-1);
  });

  it('never has more characters than the provider takes, and gives the plan most of them', async () => {
    const given: number[] = [];
    const draw = (bytes: number) => (given.push(bytes), 'é'.repeat(Math.floor(Math.min(bytes, 99_999) / 2)));
    const { comment } = await report([], draw);
    expect(Buffer.byteLength(comment)).toBeLessThanOrEqual(65_536);
    expect(given.at(-1)).toBeGreaterThan(65_536 * 0.9);
  });
});

it('says each finding on its line of the repository, and each with a fingerprint of its own', async () => {
  const finding = { severity: 'error', code: 'too-long', message: 'Shorten it.' } as const;
  const place = { file: 'live/all.yaml', line: 7, column: 3 };
  const { files } = await report([
    { ...finding, ...place },
    { ...finding, ...place, severity: 'info', message: 'Look.' },
    finding,
  ]);
  const [one, two, ...others] = JSON.parse(files['gl-code-quality-report.json'] ?? '') as object[];
  expect(others).toEqual([]);
  expect(one).toMatchObject({
    description: 'Shorten it.',
    check_name: 'too-long',
    severity: 'major',
    location: { path: 'ads/eu/live/all.yaml', lines: { begin: 7 } },
  });
  const fingerprint = expect.stringMatching(/^[0-9a-f]{64}$/) as string;
  expect([one, two]).toMatchObject([{ fingerprint }, { fingerprint, severity: 'info' }]);
  expect(two).not.toMatchObject({ fingerprint: (one as { fingerprint: string }).fingerprint });
});
