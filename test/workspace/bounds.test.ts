import { describe, expect, test } from 'vitest';
import { CAMPAIGN, diagnose, placesIn, placesInWorkspace, WORKSPACE } from './declare.ts';

const FILE = 'campaigns/a.yaml';
const withText = (text: string) => CAMPAIGN.replace('text: Hi', `text: ${text}`);
const codes = async (files: Readonly<Record<string, string>>) =>
  (await diagnose(files)).map(({ code }) => code);

describe('a text', () => {
  test('of 50,000 characters is taken, and one more is refused at its place', async () => {
    expect(await placesIn(withText('x'.repeat(50_000)))).toEqual([]);
    const [said, ...others] = await diagnose({ [FILE]: withText('x'.repeat(50_001)) });
    expect(others).toEqual([]);
    expect(said).toMatchObject({
      code: 'too-long',
      file: FILE,
      line: expect.any(Number),
      column: expect.any(Number),
      message: 'This is longer than 50000 characters. Shorten it.',
    });
  });

  test('in a file of its own has the same bound, said where the file is named', async () => {
    const named = CAMPAIGN.replace('text: Hi', 'text_file: t.md');
    expect(await codes({ [FILE]: named, 'campaigns/t.md': 'x'.repeat(50_000) })).toEqual([]);
    expect(await diagnose({ [FILE]: named, 'campaigns/t.md': 'x'.repeat(50_001) })).toMatchObject([
      { code: 'too-long', file: FILE, message: expect.stringContaining('has 50001 characters') },
    ]);
  });

  test('that variables make longer is refused, however much they would make of it', async () => {
    const workspace = WORKSPACE.replace('first_name: Alice', `x: ${'y'.repeat(500_000)}`);
    const files = { 'herald.yaml': workspace, [FILE]: withText(`'${'{{x}}'.repeat(9_000)}'`) };
    expect(await diagnose(files)).toMatchObject([
      { code: 'too-long', file: FILE, message: expect.stringContaining('.vars.x') },
    ]);
  });
});

describe('ignore', () => {
  const ignoring = (count: number) =>
    `ignore: [${Array.from({ length: count }, () => 'nothing').join(', ')}]`;

  test('has 200 paths at most, said once at the first that is too many', async () => {
    expect(new Set(await codes({ [FILE]: `${CAMPAIGN}    ${ignoring(200)}\n` }))).toEqual(
      new Set(['unknown-path']),
    );
    const said = await diagnose({ [FILE]: `${CAMPAIGN}    ${ignoring(66_000)}\n` });
    expect(said).toMatchObject([{ code: 'too-many-paths', file: FILE, line: 8 }]);
    expect(await placesInWorkspace(`${WORKSPACE}${ignoring(201)}\n`)).toEqual([
      expect.stringContaining('too-many-paths'),
    ]);
  });
});

describe('a file', () => {
  test('has 2 million characters at most', async () => {
    const [said] = await diagnose({ [FILE]: `\n${'#'.repeat(2 * 1024 * 1024)}` });
    expect(said).toMatchObject({ code: 'file-too-large', file: FILE, line: 2, column: 2 * 1024 * 1024 });
  });

  test.each([
    ['lines of a quote that are not indented', `a: "\n${'b\n'.repeat(600_000)}"`],
    ['items', `[${'a,'.repeat(600_000)}]`],
  ])('of millions of signs (%s) is refused at the place that it was read to', async (_, text) => {
    expect(await diagnose({ [FILE]: text })).toMatchObject([
      { code: 'file-too-large', message: expect.stringContaining('Split it into several files') },
    ]);
  });

  test('of many slips is not read to its end', async () => {
    expect(await placesIn('}\n'.repeat(400_000))).toHaveLength(20);
  });
});

test('all resource files have 64 million characters at most, and the message names the one that is too many', async () => {
  const nothing = 'campaigns: []\n';
  const text = `${nothing}#${'x'.repeat(2 * 1024 * 1024 - 1 - nothing.length)}`;
  const files = Object.fromEntries(
    Array.from({ length: 33 }, (_, nth) => [`campaigns/${nth + 10}.yaml`, text]),
  );
  expect((await diagnose(files)).filter(({ severity }) => severity === 'error')).toMatchObject([
    { code: 'workspace-too-large', file: 'campaigns/42.yaml', line: 1, column: 1 },
  ]);
});
