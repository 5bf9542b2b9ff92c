import { describe, expect, it } from 'vitest';
import { createsSent, worstDispatch } from '../helpers/flows.ts';
import { aScene } from '../helpers/scene.ts';

const SAYS = { audience_filters: [], messages: [{ text: 'x' }] };
const CREATES = [
  { operation: 'broadcasts.create', body: SAYS },
  {
    operation: 'campaigns.create',
    body: { ...SAYS, trigger: 'welcome_message', action: 'send_message' },
  },
] as const;
const HOUR = 3_600_000;

describe.each(CREATES)('a lost $operation by hand without a name', ({ operation, body }) => {
  const call = (account: string) =>
    ['api', operation, '--param', `account_id=${account}`, '--body', 'body.json', '--yes'] as const;

  it('is not sent again while it may succeed', async () => {
    const scene = aScene({ files: { 'body.json': JSON.stringify(body) } });
    await scene.fault({ kind: 'late_commit', operation, after_sec: 60, how: 'reset', nth: 1 });
    expect((await scene.herald(...call('101'))).code).toBe(3);
    const again = await scene.herald(...call('101'));
    expect([again.code, again.stderr]).toEqual([3, expect.stringContaining('herald ledger close')]);
    scene.clock.move(HOUR);
    expect(await createsSent(scene)).toBe(1);
    expect(await worstDispatch(scene)).toBeLessThan(2);
  });

  it('does not hold back another account', async () => {
    const scene = aScene({ files: { 'body.json': JSON.stringify(body) } });
    await scene.fault({ kind: 'late_commit', operation, after_sec: 60, how: 'reset', nth: 1 });
    await scene.herald(...call('101'));
    expect((await scene.herald(...call('102'))).code).toBe(0);
  });
});
