import { describe, expect, it } from 'vitest';
import { broadcast, campaign, declaring } from '../helpers/declare-live.ts';
import { documentOf } from '../helpers/flows.ts';
import { planDiffShape } from '../../src/plan/diff.ts';
import { aScene, type Scene } from '../helpers/scene.ts';

const saying = (text: string, more = {}) => campaign({ messages: [{ text }], ...more });

/** Two saved plans, `a.json` and `b.json`. */
async function twoPlans(
  first: Parameters<typeof declaring>[0],
  second: Parameters<typeof declaring>[0],
): Promise<Scene> {
  const scene = aScene({ files: declaring(first) });
  expect((await scene.herald('plan', '--out', 'a.json')).code).toBe(0);
  Object.assign(scene.files.tree, declaring(second));
  expect((await scene.herald('plan', '--out', 'b.json')).code).toBe(0);
  return scene;
}

describe('plan diff', () => {
  it('shows what differs by address, texts word by word', async () => {
    const scene = await twoPlans(
      {
        campaigns: [
          saying('Hello my dear friend, how are you on this fine morning in spring?'),
          saying('Gone', { name: 'Old' }),
        ],
        broadcasts: [broadcast()],
      },
      {
        campaigns: [
          saying('Hello my good friend, how are you on this fine morning in spring?'),
          saying('Here', { name: 'Young' }),
        ],
        broadcasts: [broadcast()],
      },
    );
    const { code, stdout } = await scene.herald('plan', 'diff', 'a.json', 'b.json');
    expect(code).toBe(0);
    expect(stdout).toBe(
      [
        'from a.json, Mon 1 Jun 2026 12:00 UTC by tester',
        'to   b.json, Mon 1 Jun 2026 12:00 UTC by tester',
        '- alice/campaign/Old: only the first plan has it (create)',
        '~ alice/campaign/Welcome: create',
        '    messages[0].text:',
        '      ~ Hello my [-dear-]{+good+} friend, how are you on this fine morning in spring?',
        '+ alice/campaign/Young: only the second plan has it (create)',
        '3 changes differ; 1 change is the same in both.',
        '',
      ].join('\n'),
    );
  });

  it('is a document with the fingerprints of both', async () => {
    const scene = await twoPlans(
      { broadcasts: [broadcast()] },
      { broadcasts: [broadcast({ scheduled_at: '2026-06-01T16:00Z' })] },
    );
    const ran = await scene.herald('plan', 'diff', 'a.json', 'b.json', '--format', 'json');
    const { differences, same, before, after } = documentOf(ran, planDiffShape);
    expect(same).toBe(0);
    expect([before.file, after.file]).toEqual(['a.json', 'b.json']);
    expect(differences).toEqual([
      {
        address: { account: 'alice', kind: 'broadcast', name: 'Teaser' },
        before: { action: 'create', live_id: null, fingerprint: expect.stringMatching(/^sha256:/) },
        after: { action: 'create', live_id: null, fingerprint: expect.stringMatching(/^sha256:/) },
        fields: [{ path: 'scheduled_at', old: '2026-06-01T15:00:00Z', new: '2026-06-01T16:00:00Z' }],
      },
    ]);
    expect(differences[0]?.before?.fingerprint).not.toBe(differences[0]?.after?.fingerprint);
  });

  it('is Markdown in which no text can break out', async () => {
    const scene = await twoPlans(
      { campaigns: [saying('``` one\n@team')] },
      { campaigns: [saying('``` two\n@team <!-- x')] },
    );
    const { stdout } = await scene.herald('plan', 'diff', 'a.json', 'b.json', '--format', 'markdown');
    expect(stdout).toContain('````diff\n');
    expect(stdout).toContain('**~** <code>alice/campaign/Welcome</code>: create');
  });

  it('finds no difference in plans of two times and layouts', async () => {
    const scene = await twoPlans({ campaigns: [saying('Same')] }, { campaigns: [saying('Same')] });
    scene.clock.move(3_600_000);
    await scene.herald('plan', '--out', 'b.json');
    const { stdout } = await scene.herald('plan', 'diff', 'a.json', 'b.json');
    expect(stdout).toContain('No difference: 1 change is the same in both.');
  });

  it('names the value of a variable that differs', async () => {
    const files = declaring({ campaigns: [saying('Hey, {{first_name}} is here')] });
    const scene = aScene({ files });
    await scene.herald('plan', '--out', 'a.json');
    scene.files.tree['herald.yaml'] = (scene.files.tree['herald.yaml'] ?? '').replace('Alice', 'Alina');
    await scene.herald('plan', '--out', 'b.json');
    const { stdout } = await scene.herald('plan', 'diff', 'a.json', 'b.json');
    expect(stdout).toContain('vars.first_name: "Alice" → "Alina"');
  });

  it.each([
    { text: '{}', says: 'b.json does not hold a plan of this version of Herald.' },
    { text: null, says: 'Cannot read b.json' },
  ])('says what is wrong with a file: $says', async ({ text, says }) => {
    const scene = await twoPlans({ campaigns: [saying('A')] }, { campaigns: [saying('B')] });
    if (text === null) delete scene.files.tree['b.json'];
    else scene.files.tree['b.json'] = text;
    const ran = await scene.herald('plan', 'diff', 'a.json', 'b.json');
    expect(ran.code).toBe(1);
    expect(ran.stderr).toContain(says);
  });

  it('is shown by apply --reviewed, for what was not carried out', async () => {
    const scene = await twoPlans(
      { campaigns: [saying('As reviewed')] },
      { campaigns: [saying('As edited')] },
    );
    const ran = await scene.herald('apply', '--yes', '--reviewed', 'a.json');
    expect(ran.code).toBe(5);
    expect(ran.stderr).toContain(
      'Not as reviewed:\n~ alice/campaign/Welcome: create\n    messages[0].text: "As reviewed" → "As edited"\n',
    );
  });
});
