import { expect, it } from 'vitest';
import { codeQuality } from '../../src/ci/plan.ts';

const place = { file: 'live/all.yaml', line: 7, column: 3 };
const annotation = { level: 'error', title: 'too-long', message: 'Shorten it.', place } as const;

it('says each finding on its line of the repository, and each with a fingerprint of its own', () => {
  const [one, two, ...others] = codeQuality(
    [annotation, { ...annotation, level: 'notice', message: 'Look.' }, { ...annotation, place: null }],
    'ads/eu',
  );
  expect(others).toEqual([]);
  expect(one).toMatchObject({
    description: 'Shorten it.',
    check_name: 'too-long',
    severity: 'major',
    location: { path: 'ads/eu/live/all.yaml', lines: { begin: 7 } },
  });
  expect(two?.severity).toBe('info');
  expect(two?.fingerprint).not.toBe(one?.fingerprint);
});
