import { describe, expect, it } from 'vitest';
import { writesSent } from '../../helpers/flows.ts';
import { aScene } from '../../helpers/scene.ts';

describe('herald payouts request', () => {
  it('requests what is available on each account, with one typed total', async () => {
    const scene = aScene();
    const ran = await scene.herald(
      'payouts',
      'request',
      '--account=alice',
      '--account=bob',
      '--amount=all',
      '--yes',
      '--format=json',
    );
    expect(ran.code, ran.stderr).toBe(0);
    expect(JSON.parse(ran.stdout)).toMatchObject({
      items: [
        { account: 'alice', outcome: 'requested', error: null },
        { account: 'bob', outcome: 'requested', error: null },
      ],
    });
  });

  it('requests nothing after any answer but the total of all accounts', async () => {
    const scene = aScene();
    const args = ['payouts', 'request', '--account=alice', '--account=bob', '--amount=10'];
    const questions: string[] = [];
    scene.answer = (question) => (questions.push(question), false);
    const ran = await scene.herald(...args);
    expect(ran.code).toBe(1);
    expect(questions).toEqual([
      'Request 20.00 USD in 2 payouts at simulator .herald/world.json? This cannot be undone. Type 20.00 to send all of them:',
    ]);
    expect(ran.stderr).toContain(
      [
        'ACCOUNT  AVAILABLE  MINIMUM  PENDING  ASKED',
        'alice      1234.56    20.00   345.67  10.00',
        'bob        1234.56    20.00   345.67  10.00',
      ].join('\n'),
    );
    expect(await writesSent(scene)).toEqual([]);
    expect((await scene.herald('payouts', 'request', '--amount=10', '--yes')).stderr).toContain(
      'Use --account with one of: alice, bob',
    );
    expect(await writesSent(scene)).toEqual([]);
  });
});
