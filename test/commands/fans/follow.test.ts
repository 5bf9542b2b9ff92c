import { describe, expect, it } from 'vitest';
import { writesSent } from '../../helpers/flows.ts';
import { aScene } from '../../helpers/scene.ts';

describe('herald fans follow', () => {
  it('follows the fans of a CSV file after one typed number, and each once when it runs again', async () => {
    const scene = aScene({ files: { 'fans.csv': 'fan\n101001\n101002\n' } });
    const args = ['fans', 'follow', '--from-file', 'fans.csv', '--account', 'alice'];
    const questions: string[] = [];
    scene.answer = (question) => (questions.push(question), true);
    const ran = await scene.herald(...args, '--format', 'json');
    expect(ran.code, ran.stderr).toBe(0);
    expect(questions).toEqual([expect.stringContaining('Type 2 to follow 2 fans:')]);
    expect(JSON.parse(ran.stdout)).toMatchObject({
      items: [
        { fan_id: '101001', subscribed: true, error: null },
        { fan_id: '101002', subscribed: true, error: null },
      ],
    });
    expect(await writesSent(scene)).toEqual(Array(2).fill('POST fans.follow'));
  });

  it('refuses a file with a fan named twice, and one with an unknown column, before it sends anything', async () => {
    const scene = aScene({ files: { 'twice.csv': 'fan\n1\n1\n', 'odd.csv': 'fan,nickname\n1,Tom\n' } });
    for (const [file, words] of [
      ['twice.csv', 'alice/fan/1 is named twice'],
      ['odd.csv', 'unknown columns "nickname"'],
    ]) {
      const ran = await scene.herald('fans', 'follow', `--from-file=${file}`, '--account=alice', '--yes');
      expect([ran.code, ran.stderr]).toEqual([1, expect.stringContaining(words ?? '')]);
    }
    expect(await writesSent(scene)).toEqual([]);
  });
});
