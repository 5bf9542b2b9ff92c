import { describe, expect, it } from 'vitest';
import { writesSent, expectEnd } from '../../helpers/flows.ts';
import { aScene } from '../../helpers/scene.ts';

const FILE = 'fan,account,name\n101001,alice,"Tom, of York"\n101002,alice,\n';
const LABEL = ['fans', 'label', '--from-file', 'fans.csv', '--account', 'alice', '--name', 'Friend'];
const FOLLOW = ['fans', 'follow', '--from-file', 'fans.csv', '--account', 'alice'];

describe('fans of a CSV file', () => {
  it.each<[readonly string[], string, readonly object[]]>([
    [
      LABEL,
      FILE,
      [
        { custom_name: 'Tom, of York', success: true },
        { custom_name: 'Friend', success: true },
      ],
    ],
    [FOLLOW, 'fan\n101001\n101002\n', [{ subscribed: true }, { subscribed: true }]],
  ])('have one question, and a result each: %j', async (args, file, ends) => {
    const scene = aScene({ files: { 'fans.csv': file } });
    const questions: string[] = [];
    scene.answer = (question) => (questions.push(question), true);
    const ran = await scene.herald(...args, '--format', 'json');
    expect(ran.code, ran.stderr).toBe(0);
    expect(questions).toEqual([expect.stringContaining('Type 2 to send all of them:')]);
    const items = ends.map((end, at) => ({ fan_id: `10100${at + 1}`, error: null, ...end }));
    expect(JSON.parse(ran.stdout)).toMatchObject({ items });
    expect(await writesSent(scene)).toHaveLength(2);
  });

  it.each([
    ['fans.label', 'success', LABEL],
    ['fans.follow', 'subscribed', FOLLOW],
  ] as const)(
    'are done once when the file is run again after one that failed: %s',
    async (operation, says, args) => {
      const scene = aScene({ files: { 'fans.csv': 'fan\n101001\n101002\n' } });
      await scene.fault({ kind: 'odd_reply', operation, set: { [says]: false }, nth: 1 });
      expectEnd(await scene.herald(...args, '--yes'), 4);
      const second = await scene.herald(...args, '--yes', '--format', 'json');
      expect(second.code, second.stderr).toBe(0);
      const { items } = JSON.parse(second.stdout) as { readonly items: readonly object[] };
      expect(items[0]).not.toHaveProperty('done_earlier');
      expect(items[1]).toMatchObject({ fan_id: '101002', done_earlier: expect.any(String), error: null });
      expect(await writesSent(scene)).toHaveLength(3);
    },
  );

  it('get a label again that another one followed, that a person typed, and that is older than a day', async () => {
    const scene = aScene({ files: { 'fans.csv': 'fan,name\n101001,Tom\n' } });
    const fromFile = ['fans', 'label', '--from-file', 'fans.csv', '--account', 'alice', '--yes'];
    const typed = ['fans', 'label', '101001', '--account', 'alice', '--yes', '--name'];
    await scene.herald(...fromFile);
    await scene.herald(...fromFile);
    expect(await writesSent(scene)).toHaveLength(1);
    for (const args of [[...typed, 'Tim'], fromFile, [...typed, 'Tom']]) await scene.herald(...args);
    expect(await writesSent(scene)).toHaveLength(4);
    scene.clock.move(25 * 3_600_000);
    await scene.herald(...fromFile);
    expect(await writesSent(scene)).toHaveLength(5);
  });

  it.each([
    ['fan,nickname\n1,Tom\n', 'unknown columns "nickname"'],
    ['name\nTom\n', 'the first line must name the column fan'],
    ['fan\n', 'it has no fans'],
    ['fan,name\n"10"1001,Tom "the tank" B\n', 'a cell has a quote in it'],
    ['fan,name\n,Tom\n', 'line 2 does not have a fan'],
    ['fan,name\n1,\n', 'Nothing to set.'],
    ['fan,name\n1,Tom\nalice/fan/1,Tim\n', 'The file names fan 1 of alice (account 101) twice'],
  ])('are refused before anything is sent: %j', async (file, words) => {
    const scene = aScene({ files: { 'fans.csv': file } });
    const ran = await scene.herald('fans', 'label', '--from-file=fans.csv', '--account=alice', '--yes');
    expectEnd(ran, 1, words);
    expect(await writesSent(scene)).toEqual([]);
  });
});
