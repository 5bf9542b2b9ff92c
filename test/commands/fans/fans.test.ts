import { describe, expect, it } from 'vitest';
import { writesSent } from '../../helpers/flows.ts';
import { aScene } from '../../helpers/scene.ts';

const FILE = 'fan,account,name\n101001,alice,"Tom, of York"\n101002,alice,\n';
const LABEL = ['fans', 'label', '--from-file', 'fans.csv', '--name', 'Friend'];
const FOLLOW = ['fans', 'follow', '--from-file', 'fans.csv', '--account', 'alice'];

describe('fans of a CSV file', () => {
  it.each([
    [
      LABEL,
      FILE,
      [
        { fan_id: '101001', custom_name: 'Tom, of York', success: true, error: null },
        { fan_id: '101002', custom_name: 'Friend', success: true, error: null },
      ],
    ],
    [
      FOLLOW,
      'fan\n101001\n101002\n',
      [
        { fan_id: '101001', subscribed: true, error: null },
        { fan_id: '101002', subscribed: true, error: null },
      ],
    ],
  ])('have one question, and a result each: %j', async (args, file, items) => {
    const scene = aScene({ files: { 'fans.csv': file } });
    const questions: string[] = [];
    scene.answer = (question) => (questions.push(question), true);
    const ran = await scene.herald(...args, '--format', 'json');
    expect(ran.code, ran.stderr).toBe(0);
    expect(questions).toEqual([expect.stringContaining('Type 2 to send all of them:')]);
    expect(JSON.parse(ran.stdout)).toMatchObject({ items });
    expect(await writesSent(scene)).toHaveLength(2);
  });

  it('go on after one that failed, and that one is named', async () => {
    const scene = aScene({ files: { 'fans.csv': FILE } });
    await scene.fault({ kind: 'odd_reply', operation: 'fans.label', set: { success: false }, nth: 1 });
    const ran = await scene.herald(...LABEL, '--yes');
    expect(ran.code, ran.stderr).toBe(4);
    expect(ran.stdout).toContain(
      'Failed: Set the name "Tom, of York" for fan 101001 of alice (account 101): The service answered',
    );
    expect(ran.stdout).toContain('set the name "Friend" for fan 101002 of alice (account 101)');
  });

  it.each([
    ['fan,nickname\n1,Tom\n', 'unknown columns "nickname"'],
    ['name\nTom\n', 'the first line must name the column fan'],
    ['fan\n', 'it has no fans'],
    ['fan,name\n,Tom\n', 'line 2 does not have a fan'],
    ['fan,name\n1,\n', 'Nothing to set.'],
    ['fan,name\n1,Tom\nalice/fan/1,Tim\n', 'The file names fan 1 of alice (account 101) twice'],
  ])('are refused before anything is sent: %j', async (file, words) => {
    const scene = aScene({ files: { 'fans.csv': file } });
    const ran = await scene.herald('fans', 'label', '--from-file=fans.csv', '--account=alice', '--yes');
    expect([ran.code, ran.stderr]).toEqual([1, expect.stringContaining(words)]);
    expect(await writesSent(scene)).toEqual([]);
  });
});
