import { expect, it } from 'vitest';
import type { Data } from './data.ts';
import { shrink } from './shrink.ts';
import { simplerVersions } from './simpler.ts';
import { Vocabulary } from './vocabulary.ts';

const SAMPLES: readonly Data[] = [
  { seed: 1, people: 1, steps: [{ kind: 'wait', days: 0 }], cut: null },
  { seed: 2, people: 1, steps: [{ kind: 'apply', how: 'plain', file: null }], cut: { at: 1 } },
  { seed: 3, people: 2, steps: [{ kind: 'apply', how: 'plain', file: 1 }], cut: null },
  { seed: 4, people: 1, steps: [{ kind: 'apply', how: 'saved', file: 0 }], cut: null },
];
const vocabulary = new Vocabulary(SAMPLES);

const LONG: Data = {
  seed: 4,
  people: 2,
  steps: [
    { kind: 'wait', days: 0 },
    { kind: 'apply', how: 'saved', file: 1 },
    { kind: 'apply', how: 'saved', file: 0 },
    { kind: 'wait', days: 0 },
  ],
  cut: { at: 1 },
};

it('keeps what the failure needs, and nothing else', async () => {
  const { data } = await shrink(LONG, vocabulary, 500, failing(/"file":1/));
  expect(data).toEqual({
    seed: 1,
    people: 1,
    steps: [{ kind: 'apply', how: 'plain', file: 1 }],
    cut: null,
  });
});

it('puts in a place only what was seen there, so that what is left could have been drawn', () => {
  const kinds = simplerVersions(LONG, vocabulary).map((version) => JSON.stringify(version));
  expect(kinds.filter((version) => /"kind":null|"seed":0|"how":null|"days":null/.test(version))).toEqual([]);
});

it('tries what takes away the most first', () => {
  const sizes = simplerVersions(LONG, vocabulary).map((version) => JSON.stringify(version).length);
  expect(sizes).toEqual(sizes.toSorted((left, right) => left - right));
  expect(sizes.length).toBeGreaterThan(8);
});

it('ends after so many tries, with the simplest so far', async () => {
  let asked = 0;
  const { tries } = await shrink(LONG, vocabulary, 3, async (versions) => {
    asked += versions.length;
    return -1;
  });
  expect(tries).toBe(3);
  expect(asked).toBe(3);
});

it('leaves data that cannot be made simpler as it is', async () => {
  const plain: Data = { seed: 1, people: 1, steps: [], cut: null };
  expect(await shrink(plain, vocabulary, 50, failing(/seed/))).toEqual({ data: plain, tries: 0 });
});

function failing(pattern: RegExp): (versions: readonly Data[]) => Promise<number> {
  return (versions) =>
    Promise.resolve(versions.findIndex((version) => pattern.test(JSON.stringify(version))));
}
