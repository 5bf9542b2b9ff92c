import { describe, expect, it } from 'vitest';
import { errorOf, SEND, sent } from '../helpers/chats.ts';
import { paidOut, payout, refusedPayout } from '../helpers/payouts.ts';
import { printFile } from '../../src/api/print-file.ts';
import { aScene, LEDGER_FILE, type Scene } from '../helpers/scene.ts';
import { callsOf, HELLO, uploaded } from '../helpers/uploads.ts';

/** A request without a recorded end, with times that no clock shows. */
const odd = (operation: string, details: object, more: object) =>
  `${JSON.stringify({
    v: 1,
    at: '2026-06-01T11:00:00.000Z',
    run: 'other',
    type: 'act',
    entry: 'other-1',
    who: 'colleague',
    operation,
    account: 'alice',
    account_id: '101',
    subject: 'something',
    details,
    sent_at_ms: Date.UTC(2026, 5, 1, 11),
    ...more,
  })}\n`;

const withLedger = (text: string): Scene => aScene({ files: { [LEDGER_FILE]: text } });

describe.each([
  ['far ahead', { sent_at_ms: 1e20 }],
  ['far back', { sent_at_ms: -1e20 }],
  ['at the end of time', { sent_at_ms: 8.64e15 }],
  ['by a clock that is off permanently', { skew_ms: 1e20 }],
])('an open request of a ledger that someone edited, sent %s', (_, times) => {
  it('holds a chat message back, and a person lets it go', async () => {
    const scene = withLedger(odd('chat.send', { chat_id: '101001', digest: 'x', beginning: 'Hi' }, times));
    const held = await scene.herald(...SEND, '--text', 'A word', '--yes', '--format', 'json');
    expect([held.code, errorOf(held).code], held.stderr).toEqual([3, 'open-send']);
    expect(await sent(scene, 'chat.send')).toBe(0);
    const freed = await scene.herald(...SEND, '--text', 'A word', '--yes', '--acknowledge');
    expect([freed.code, await sent(scene, 'chat.send')], freed.stderr).toEqual([0, 1]);
  });

  it('holds a payout back, or is over', async () => {
    const details = {
      platform_account_id: '9101',
      cents: 10010,
      amount: '100.10',
      baseline: [],
      available_cents: null,
    };
    const scene = withLedger(odd('payouts.request', details, times));
    const ran = await scene.herald('payouts', 'request', '--account=alice', '--amount=100.10', '--yes');
    expect([0, 3], ran.stderr).toContain(ran.code);
    expect(ran.stderr).not.toContain('Invalid time');
    if (ran.code === 3) expect(await paidOut(scene)).toEqual([]);
    const freed = await scene.herald(
      'payouts',
      'request',
      '--account=alice',
      '--amount=100.10',
      '--yes',
      '--acknowledge',
      '--allow-similar',
    );
    expect(freed.code, freed.stderr).toBe(0);
  });

  it('lets a fan be followed once no other can land', async () => {
    const scene = withLedger(odd('fans.follow', { fan_id: '101001' }, times));
    const ran = await scene.herald('fans', 'follow', '101001', '--account', 'alice', '--yes');
    expect([ran.code, await sent(scene, 'fans.follow')], ran.stderr).toEqual([0, 1]);
  });

  it('is reported with a label that it contradicts', async () => {
    const scene = withLedger(odd('fans.label', { fan_id: '101001', labels: { note: 'x' } }, times));
    const label = ['fans', 'label', '101001', '--account', 'alice', '--note', 'y', '--yes'];
    expect((await scene.herald(...label)).code).toBe(0);
  });

  it('is looked for before the same bytes are uploaded', async () => {
    const scene = aScene();
    scene.bytes.blobs['hello.jpg'] = HELLO;
    const print = await printFile(
      scene.bytes,
      { path: 'hello.jpg', size: HELLO.byteLength },
      new AbortController().signal,
    );
    const details = { key: 'k', name: 'hello.jpg', size: HELLO.byteLength };
    scene.files.tree[LEDGER_FILE] = odd('vault.upload-export', details, { ...times, subject: print });
    const { code, item, stderr } = await uploaded(scene);
    expect([code, item.outcome], stderr + item.message).toEqual([0, 'exported']);
    expect(await callsOf(scene)).toBe('start 1, export 1');
  });
});

it('a made payout at no known time counts as one of today', async () => {
  const scene = aScene();
  await payout(scene);
  const text = scene.files.tree[LEDGER_FILE] ?? '';
  scene.files.tree[LEDGER_FILE] = text.replaceAll(/"sent_at_ms":\d+/g, '"sent_at_ms":1e20');
  await scene.fault({ kind: 'odd_reply', operation: 'payouts.list', set: { list: [], marker: null } });
  expect((await refusedPayout(scene, 5)).code).toBe('similar-payout');
});
