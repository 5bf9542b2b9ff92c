import { describe, expect, it } from 'vitest';
import { aScene } from '../../helpers/scene.ts';

const FILE = 'fan,account,name\n101001,alice,"Tom, of York"\n101002,alice,\n';

describe('herald fans label', () => {
  it('labels the fans of a CSV file after one question, each with a result of its own', async () => {
    const scene = aScene({ files: { 'fans.csv': FILE } });
    const args = ['fans', 'label', '--from-file', 'fans.csv', '--name', 'Friend'];
    const questions: string[] = [];
    scene.answer = (question) => (questions.push(question), true);
    const ran = await scene.herald(...args, '--format', 'json');
    expect(ran.code, ran.stderr).toBe(0);
    expect(questions).toHaveLength(1);
    expect(questions[0]).toContain('Type 2 to set 2 labels:');
    expect(JSON.parse(ran.stdout)).toMatchObject({
      items: [
        { fan_id: '101001', custom_name: 'Tom, of York', success: true, error: null },
        { fan_id: '101002', custom_name: 'Friend', success: true, error: null },
      ],
    });
  });

  it('says which fan failed, and goes on with the others', async () => {
    const scene = aScene({ files: { 'fans.csv': FILE } });
    await scene.fault({ kind: 'odd_reply', operation: 'fans.label', set: { success: false }, nth: 1 });
    const ran = await scene.herald('fans', 'label', '--from-file', 'fans.csv', '--name', 'Friend', '--yes');
    expect(ran.code, ran.stderr).toBe(4);
    expect(ran.stdout).toContain(
      'fan 101001 of alice (account 101): the name "Tom, of York": The service answered',
    );
    expect(ran.stdout).toContain('set the name "Friend" for fan 101002 of alice (account 101)');
  });
});
