import { describe, expect, it } from 'vitest';
import { acts, CHAT, chatTruth, errorOf, queued, SEND, sent } from '../helpers/chats.ts';
import { dieBefore } from '../helpers/flows.ts';
import { aScene, LEDGER_FILE, type Scene } from '../helpers/scene.ts';

const ORDER = [...SEND, '--text', 'A word', '--yes'] as const;
const FOLLOW = ['fans', 'follow', '101001', '--account', 'alice', '--yes'] as const;
const JSON_FORMAT = ['--format', 'json'] as const;

const LOST = { kind: 'broken_answer', operation: 'fans.follow', how: 'reset', nth: 1 } as const;

async function expectCode(scene: Scene, code: number, ...args: readonly string[]) {
  const ran = await scene.herald(...args);
  expect(ran.code, `${ran.stdout}\n${ran.stderr}`).toBe(code);
  return ran;
}

/** A send without a recorded end. */
const openSend = (more: Readonly<Record<string, unknown>> = {}) =>
  JSON.stringify({
    v: 1,
    at: '2026-06-01T11:00:00.000Z',
    run: 'other',
    type: 'act',
    entry: 'other-1',
    who: 'colleague',
    operation: 'chat.send',
    account: 'alicia',
    account_id: '101',
    subject: `chat ${CHAT}`,
    details: { chat_id: CHAT },
    sent_at_ms: Date.UTC(2026, 5, 1, 11),
    ...more,
  });

describe('a chat message and a ledger that something happened to', () => {
  it('a line that no one can read may be an open send: nothing is sent before a person has looked', async () => {
    const scene = aScene({ files: { [LEDGER_FILE]: `${openSend().replace('"entry"', 'entry')}\n` } });
    const error = errorOf(await expectCode(scene, 5, ...ORDER, ...JSON_FORMAT));
    expect(error).toMatchObject({ code: 'damaged-ledger', details: { lines: [1] } });
    expect(await queued(scene)).toEqual([]);
    await expectCode(scene, 0, ...ORDER, '--acknowledge');
  });

  it('an open send under another alias of the account holds it back', async () => {
    const scene = aScene({ files: { [LEDGER_FILE]: `${openSend()}\n` } });
    expect(errorOf(await expectCode(scene, 3, ...ORDER, ...JSON_FORMAT)).code).toBe('open-send');
    expect(await sent(scene, 'chat.send')).toBe(0);
  });

  it('that is pulled while the question stands was not looked at: nothing is sent', async () => {
    const scene = aScene();
    scene.answer = () => {
      scene.files.tree[LEDGER_FILE] = `${openSend()}\n`;
      return true;
    };
    const args = [...SEND, '--text', 'A word', ...JSON_FORMAT];
    expect(errorOf(await expectCode(scene, 5, ...args)).code).toBe('ledger-changed');
    expect(await sent(scene, 'chat.send')).toBe(0);
  });
});

describe('a follow with a lost first answer', () => {
  it.each(['before_commit', 'after_commit'] as const)(
    'and with a repeat that cannot be put on record is unknown, exit 3, never a plain failure (%s)',
    async (when) => {
      const scene = aScene();
      await scene.fault({ ...LOST, when });
      let lines = 0;
      scene.files.onWrite = (path) =>
        path === LEDGER_FILE && (lines += 1) > 1 ? new Error('no space left on device') : 'done';
      const ran = await expectCode(scene, 3, ...FOLLOW, ...JSON_FORMAT);
      expect(errorOf(ran).code).toBe('unknown-outcome');
      expect(ran.stderr).toContain('The ledger is incomplete');
      expect(await sent(scene, 'fans.follow')).toBe(1);
    },
  );

  it('and with a repeat that says that the fan is not followed is on record as that', async () => {
    const scene = aScene();
    await scene.fault({ ...LOST, when: 'before_commit' });
    await scene.fault({ kind: 'odd_reply', operation: 'fans.follow', set: { subscribed: false }, nth: 2 });
    expect(errorOf(await expectCode(scene, 1, ...FOLLOW, ...JSON_FORMAT)).code).toBe('not-following');
    expect(acts(scene).map(({ outcome }) => outcome)).toEqual(['refused', 'refused']);
    expect((await chatTruth(scene)).follows.length).toBeLessThanOrEqual(1);
  });
});

describe('a label that was killed after its repeat', () => {
  it('its window is waited out from its last copy on: the first one is long over by then', async () => {
    const scene = aScene();
    const operation = 'fans.label';
    await scene.fault({ kind: 'broken_answer', operation, how: 'timeout', when: 'before_commit', nth: 1 });
    await scene.fault({ kind: 'late_commit', operation, after_sec: 60, how: 'reset', nth: 2, times: 3 });
    const label = ['fans', 'label', '101001', '--account', 'alice', '--yes', '--name'] as const;
    const isEnd = (line: string) => line.includes('"outcome":"unknown"') && !line.includes('sent again');
    await dieBefore(scene, isEnd, [...label, 'Tom']);
    await expectCode(scene, 0, ...label, 'Ada');
    scene.clock.move(130_000);
    expect((await chatTruth(scene)).labels['101001']).toMatchObject({ custom_name: 'Ada' });
  });
});
