import { describe, expect, it } from 'vitest';
import { madeOnce } from '../../helpers/made-once.ts';
import { aScene, type Scene } from '../../helpers/scene.ts';

/** Alice has one chat that waits, and one that she answered. */
const anInbox = madeOnce(async () => {
  const scene = aScene();
  await scene.service((control) => {
    for (const [chat_id, text, from_me] of [
      ['101001', 'Are you there?', false],
      ['101002', 'Here you are!', true],
    ] as const)
      control.seed({ account_id: '101', kind: 'chat_message', set: { chat_id, text, from_me } });
  });
  return scene;
});

/** The rows for alice. */
async function rowsOf(scene: Scene, ...flags: readonly string[]) {
  const ran = await scene.herald('chat', 'inbox', '--account', 'alice', ...flags, '--format', 'json');
  expect(ran.code, ran.stderr).toBe(0);
  return (JSON.parse(ran.stdout) as { items: readonly Record<string, unknown>[] }).items;
}

describe('chat inbox', () => {
  it('shows the last message of each fan, and which of them wait for an answer', async () => {
    const items = await rowsOf(await anInbox());
    const of = (fan: string) => items.find(({ fan_id }) => fan_id === fan);
    expect(of('101001')).toMatchObject({ account: 'alice', waits: true, text: 'Are you there?' });
    expect(of('101002')).toMatchObject({ waits: false, is_sent_by_me: true, text: 'Here you are!' });
  });

  it('goes on where a fan has no chat of that id', async () => {
    const scene = await anInbox();
    await scene.fault({ kind: 'refusal', operation: 'chat.messages', status: 404, nth: 1 });
    const items = await rowsOf(scene, '--limit=2');
    expect(items[0]).toMatchObject({ waits: null, message_id: null });
    expect(items).toHaveLength(2);
  });

  it('shows only what waits, for a group as well, and looks at no more fans than --limit', async () => {
    const scene = await anInbox();
    const waiting = await scene.herald('chat', 'inbox', '--account=alice', '--waiting', '--format=ndjson');
    expect(waiting.stdout).toContain('101001');
    expect(waiting.stdout).not.toContain('101002');
    const one = await scene.herald('chat', 'inbox', '--limit', '1', '--format', 'csv');
    expect(one.code, one.stderr).toBe(0);
    expect(one.stdout.match(/^(?:alice|bob)(?=,)/gm)).toEqual(['alice', 'bob']);
  });
});
