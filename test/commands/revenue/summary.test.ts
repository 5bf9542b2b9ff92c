import { describe, expect, it } from 'vitest';
import { madeOnce } from '../../helpers/made-once.ts';
import { aScene } from '../../helpers/scene.ts';
import { expectEnd } from '../../helpers/flows.ts';

const withMoney = madeOnce(async () => {
  const scene = aScene();
  await scene.service((control) => {
    control.setData({ subscriptions: 0, chargebacks: 0, transactions: 0 });
    const tip = (account_id: string, amount: number) =>
      control.fanActs({ account_id, fan_id: `${account_id}001`, does: 'tip', amount });
    tip('101', 0.1);
    tip('101', 0.2);
    tip('102', 5);
    control.fanActs({ account_id: '101', fan_id: '101001', does: 'purchase', amount: 10 });
  });
  return scene;
});

interface Summary {
  readonly items: readonly Record<string, unknown>[];
}

describe('revenue summary', () => {
  it('adds up each account exactly, and all of them in the last row', async () => {
    const scene = await withMoney();
    const ran = await scene.herald('revenue', 'summary', '--from', '1d', '--format', 'json');
    expect(ran.code, ran.stderr).toBe(0);
    expect((JSON.parse(ran.stdout) as Summary).items).toEqual([
      { by: 'account', group: 'alice', transactions: 3, amount: 10.3 },
      { by: 'account', group: 'bob', transactions: 1, amount: 5 },
      { by: 'total', group: null, transactions: 4, amount: 15.3 },
    ]);
  });

  it('says which range it adds up where none is given', async () => {
    const ran = await (await withMoney()).herald('revenue', 'summary');
    expectEnd(ran, 0, /^Transactions from 2026-05-02.*: 30 days, because/);
  });

  it('adds up by day and by type, in a table and in CSV', async () => {
    const scene = await withMoney();
    const types = await scene.herald('revenue', 'summary', '--by=type', '--from=1d', '--format=csv');
    expect(types.stdout.replaceAll('\r', '').split('\n')).toEqual([
      'by,group,transactions,amount',
      'type,message,1,10',
      'type,tip,3,5.3',
      'total,,4,15.3',
      '',
    ]);
    const days = await scene.herald('revenue', 'summary', '--by', 'day', '--from', '1d');
    expect(days.stdout).toMatch(/^day +2026-06-01 +4 +15\.30$/m);
    expect(days.stdout).toMatch(/^total +4 +15\.30$/m);
  });

  it('takes off chargebacks with --net', async () => {
    const scene = aScene();
    const args = ['revenue', 'summary', '--from=60d', '--net', '--account=alice', '--format=json'];
    const { items } = JSON.parse((await scene.herald(...args)).stdout) as Summary;
    const total = items.at(-1) ?? {};
    expect(Number(total['chargebacks'])).toBeGreaterThan(0);
    const [amount, lost, net] = ['amount', 'charged_back', 'net'].map((key) => Number(total[key]));
    expect(net).toBeCloseTo((amount ?? 0) - (lost ?? 0), 6);
  });

  it('is incomplete, with exit 4, where the list of one account cannot be read', async () => {
    const scene = await withMoney();
    await scene.fault({ kind: 'refusal', operation: 'revenue.transactions', status: 404, nth: 2 });
    expectEnd(await scene.herald('revenue', 'summary', '--from', '1d'), 4, 'The list is incomplete');
  });
});
