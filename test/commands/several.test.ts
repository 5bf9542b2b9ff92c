import { describe, expect, it } from 'vitest';
import { writesSent } from '../helpers/flows.ts';
import { aScene } from '../helpers/scene.ts';

const FILE = 'fan,account,name\n101001,alice,"Tom, of York"\n101002,alice,\n';

describe('one command about several', () => {
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

  it('uploads a file to each account, and nothing when it runs again', async () => {
    const scene = aScene();
    scene.bytes.blobs['hello.jpg'] = Uint8Array.of(0xff, 0xd8, 0xff, 0xe0);
    const args = ['vault', 'upload', 'hello.jpg', '--account=alice', '--account=bob', '--format=json'];
    const ran = await scene.herald(...args);
    expect(ran.code, ran.stderr).toBe(0);
    expect(JSON.parse(ran.stdout)).toMatchObject({
      items: [
        { account: 'alice', outcome: 'exported' },
        { account: 'bob', outcome: 'exported' },
      ],
    });
    const sent = await writesSent(scene);
    const again = await scene.herald(...args);
    expect(JSON.parse(again.stdout)).toMatchObject({
      items: [{ outcome: 'already' }, { outcome: 'already' }],
    });
    expect(await writesSent(scene)).toEqual(sent);
  });

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
    expect((await scene.herald(...args)).code).toBe(1);
    expect(questions).toEqual([expect.stringContaining('Type 20.00 to request this total:')]);
    expect(await writesSent(scene)).toEqual([]);
    expect((await scene.herald('payouts', 'request', '--amount=10', '--yes')).stderr).toContain(
      'Use --account with one of: alice, bob',
    );
    expect(await writesSent(scene)).toEqual([]);
  });

  it('stops everything with --all after one question, and each object once', async () => {
    const scene = aScene();
    await scene.service((control) => {
      control.seedCampaign('101', { id: '1', name: 'Welcome' });
      control.seedCampaign('101', { id: '2', name: 'shop/Thanks' });
      control.seedCampaign('102', { id: '3', name: 'Welcome' });
    });
    let questions = 0;
    scene.answer = () => (questions += 1) > 0;
    const ran = await scene.herald('campaigns', 'pause', '--all');
    expect([ran.code, questions], ran.stderr).toEqual([0, 1]);
    expect(await writesSent(scene)).toEqual(Array(3).fill('PATCH campaigns.set-status'));
  });

  it('stops what it finds of several names, and says which one does not exist', async () => {
    const scene = aScene();
    await scene.service((control) => control.seedCampaign('101', { id: '1', name: 'Welcome' }));
    const names = ['alice/campaign/Welcome', '1', 'alice/campaign/Typo'];
    const ran = await scene.herald('campaigns', 'pause', ...names, '--account=alice', '--yes');
    expect(ran.code, ran.stderr).toBe(4);
    expect(ran.stdout + ran.stderr).toContain('Typo');
    expect(await writesSent(scene)).toEqual(['PATCH campaigns.set-status']);
  });
});
