import { describe, expect, it } from 'vitest';
import { broadcast, campaign, declaring } from '../helpers/declare-live.ts';
import { aScene, type Scene } from '../helpers/scene.ts';

const ACCOUNTS = ['alice', 'bob'];

/** The same campaign on two accounts. */
const shared = (...texts: readonly string[]): Record<string, string> =>
  declaring({ campaigns: [campaign({ messages: texts.map((text) => ({ text })) })] }, ACCOUNTS);

async function applied(): Promise<Scene> {
  const scene = aScene({ files: shared('Hello there') });
  await scene.herald('apply', '--yes');
  Object.assign(scene.files.tree, shared('Hello again'));
  return scene;
}

describe('a change of several accounts', () => {
  it('is one entry of plan, apply and drift, and of a comment', async () => {
    const scene = await applied();
    expect((await scene.herald('plan')).stdout).toContain('± replace  "Welcome" on 2 accounts: alice, bob');
    expect((await scene.herald('drift')).stdout).toContain('"Welcome" on 2 accounts: alice, bob');
    expect((await scene.herald('plan', '--format', 'markdown')).stdout).toContain(
      'campaign <code>Welcome</code> on 2 accounts: <code>alice</code>, <code>bob</code>',
    );
    const ran = await scene.herald('apply', '--yes');
    expect(ran.stderr).toContain('* 2 live at once: campaign "Welcome" on 2 accounts\n2 to replace.');
    expect(ran.stderr).not.toContain('Hello again');
    expect(ran.stdout.match(/✓ applied {2}replace/g)).toHaveLength(2);
  });

  it('is printed by apply before its question, and after an agreement only if a person wants it', async () => {
    const asked = await applied();
    asked.answer = () => true;
    expect((await asked.herald('apply')).stderr).toContain('Hello again');
    expect((await (await applied()).herald('apply', '--yes', '--expand')).stderr).toContain('Hello again');
  });

  it.each([
    ['plan', 'stdout', []],
    ['drift', 'stdout', []],
    ['plan', 'stdout', ['--format', 'markdown']],
    ['apply', 'stderr', ['--yes']],
  ] as const)('is listed by account by %s --expand', async (command, stream, flags) => {
    const ran = await (await applied()).herald(command, '--expand', ...flags);
    expect(ran[stream]).not.toContain('2 accounts');
    for (const account of ACCOUNTS)
      expect(ran[stream]).toMatch(new RegExp(`${account}( · campaigns|</code>)`));
  });
});

describe('the times of a plan', () => {
  const scheduled = broadcast({
    scheduled_at: '2026-12-06T18:00',
    scheduled_at_timezone: 'Europe/Berlin',
    rules: { end_at: '2026-12-07T00:00', end_at_timezone: 'Europe/Berlin' },
  });

  it.each(['text', 'markdown'])('are in the declared zone and in UTC: %s', async (format) => {
    const { stdout } = await aScene({ files: declaring({ broadcasts: [scheduled] }) }).herald(
      'plan',
      '--format',
      format,
    );
    expect(stdout).toContain('Goes out at Sun 6 Dec 2026 18:00 Europe/Berlin (17:00 UTC).');
    expect(stdout).toContain('scheduled_at: Sun 6 Dec 2026 18:00 Europe/Berlin (17:00 UTC)');
    expect(stdout).toContain('rules.end_at: Mon 7 Dec 2026 00:00 Europe/Berlin (Sun 6 Dec 2026 23:00 UTC)');
  });

  it('are as the service writes them in JSON', async () => {
    const scene = aScene({ files: declaring({ broadcasts: [scheduled] }) });
    expect((await scene.herald('plan', '--format', 'json')).stdout).toContain('"2026-12-06T17:00:00Z"');
  });
});

describe('a refused plan', () => {
  it('says so first and last, and never ends with what it would do', async () => {
    const other = campaign({ name: 'Other', messages: [{ text: 'Hello again' }] });
    const scene = aScene({ files: declaring({ campaigns: [campaign(), other] }, ACCOUNTS) });
    const workspace = scene.files.tree['herald.yaml'] ?? '';
    Object.assign(scene.files.tree, { 'herald.yaml': `${workspace}policy: { max_changes: 1 }\n` });
    const { stdout, code } = await scene.herald('plan');
    expect(code).toBe(5);
    const lines = stdout.trimEnd().split('\n');
    expect(lines[2]).toMatch(/^Refused: 2 changes.* Nothing will be changed\.$/);
    expect(lines.at(-1)).toBe(lines[2]);
  });
});
