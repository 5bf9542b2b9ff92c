import { describe, expect, it } from 'vitest';
import { listAccounts } from '../../../src/api/pages.ts';
import { aClientScene, json, type ClientScene } from '../client-scene.ts';

describe('the list of accounts', () => {
  const account = (id: number) => ({ id, username: `u${id}` });
  const cursors = ({ sent }: ClientScene) => sent.map(({ url }) => new URL(url).searchParams.get('cursor'));

  // ACCOUNT-4
  it('is read by cursor to its end, lapsed subscriptions included, each account once', async () => {
    const pages = [
      { accounts: [account(1), account(2)], nextCursor: 'a+/=' },
      { accounts: [], nextCursor: 'bb' },
      { accounts: [account(2), account(3)] },
    ];
    const scene = aClientScene((_, nth) => json(pages[nth - 1]));
    expect((await listAccounts(scene.client)).map(({ id }) => id)).toEqual(['1', '2', '3']);
    expect(cursors(scene)).toEqual([null, 'a+/=', 'bb']);
    for (const { url } of scene.sent) {
      expect(new URL(url).searchParams.get('withExpiredSubscriptions')).toBe('true');
      expect(new URL(url).searchParams.get('limit')).toBe('1000');
    }
  });
});
