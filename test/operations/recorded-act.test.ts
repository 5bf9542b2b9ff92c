import { describe, expect, it } from 'vitest';
import { InvalidCallError } from '../../src/api/errors.ts';
import { acts, queued, SEND, sent } from '../helpers/chats.ts';
import { recordedAct } from '../../src/operations/recorded-act.ts';
import { Ledger } from '../../src/ledger/ledger.ts';
import type { Client } from '../../src/api/client.ts';
import type { BeforeSend } from '../../src/api/request.ts';
import { flowClock } from '../helpers/flow-clock.ts';
import { HELD_LEASE, UNKNOWN_CLOCK_SERVICE } from '../helpers/ledger-builders.ts';
import { memoryWorkspace } from '../helpers/memory-workspace.ts';
import { aScene, LEDGER_FILE, NOON } from '../helpers/scene.ts';

const ORDER = [...SEND, '--text', 'A word', '--yes'];
const isLine = (type: string) => (path: string, text: string) =>
  path === LEDGER_FILE && text.includes(`"type":"${type}"`);

describe('an act with a ledger that cannot be written', () => {
  it('is not sent when its intent is not on the disk', async () => {
    const scene = aScene();
    const isAct = isLine('act');
    scene.files.onWrite = (path, text) => (isAct(path, text) ? new Error('no space left on device') : 'done');
    const ran = await scene.herald(...ORDER);
    expect(ran.code).toBe(1);
    expect(ran.stderr).toContain(
      'error: Not sent, because .herald/ledger.ndjson cannot be written: no space left',
    );
    expect(await sent(scene, 'chat.send')).toBe(0);
    scene.files.onWrite = () => 'done';
    expect((await scene.herald(...ORDER)).code, 'the lock is free again').toBe(0);
  });

  it('is reported as it ended, and as not on record, when only its outcome is missing', async () => {
    const scene = aScene();
    const isOutcome = isLine('outcome');
    scene.files.onWrite = (path, text) =>
      isOutcome(path, text) ? new Error('no space left on device') : 'done';
    const ran = await scene.herald(...ORDER);
    expect(ran.code).toBe(4);
    expect(ran.stdout).toContain('queued, not delivered');
    expect(ran.stderr).toContain('The ledger is incomplete');
    expect(await queued(scene)).toEqual(['A word']);
    expect(acts(scene)).toMatchObject([{ outcome: 'unknown' }]);
  });
});

it('an act that breaks a bound is not sent, says which, and leaves no line', async () => {
  const scene = aScene();
  const chat = '1'.repeat(101);
  const ran = await scene.herald('chat', 'send', chat, '--account', 'alice', '--text', 'x', '--yes');
  expect(ran.code).toBe(1);
  expect(ran.stderr).toContain('chat_id');
  expect(acts(scene)).toEqual([]);
});

it('an act with a client that fails in a way that no one foresaw stays open', async () => {
  const files = memoryWorkspace({});
  const ledger = await Ledger.open({
    store: files.state.ledger,
    lease: HELD_LEASE,
    clock: flowClock(NOON),
    identity: { run: 'r', who: 'tester' },
    service: UNKNOWN_CLOCK_SERVICE,
  });
  const begin = (error: Error) => {
    const send = async (beforeSend?: BeforeSend) => {
      await beforeSend?.(null);
      throw error;
    };
    const client: Pick<Client, 'prepare'> = { prepare: () => send };
    return recordedAct(
      // Nothing but `prepare` is used of it.
      { client: client as Client, ledger },
      'fans.follow',
      () => ({ operation: 'fans.follow', account: 'alice', account_id: '101', subject: 's', details: {} }),
      { input: { params: { account_id: '101', fan_id: '7' } } },
    );
  };
  await expect(begin(new Error('a bug'))).rejects.toThrow('a bug');
  expect(files.tree[LEDGER_FILE]).not.toContain('"type":"outcome"');
  await expect(begin(new InvalidCallError('fans.follow', ['no']))).rejects.toThrow('was not sent');
  expect(files.tree[LEDGER_FILE]).toContain('"outcome":"not_sent"');
});

it('no text of a message stands whole in the ledger', async () => {
  const scene = aScene();
  const text = `${'a'.repeat(60)} and the rest is private`;
  await scene.herald(...SEND, '--text', text, '--yes');
  expect(scene.files.tree[LEDGER_FILE]).toContain('a'.repeat(60));
  expect(scene.files.tree[LEDGER_FILE]).not.toContain('private');
});
