import { afterEach, describe, expect, it, vi } from 'vitest';
import { CHAT, SEND } from '../helpers/chats.ts';
import { broadcast, campaign, declaring } from '../helpers/declare-live.ts';
import { LEDGER_FILE, type Scene } from '../helpers/scene.ts';
import { twoClones } from '../helpers/two-clones.ts';
import type { World } from '../../src/simulator/world.ts';

afterEach(() => vi.unstubAllGlobals());

const DRAFT = {
  'drafts/today.yaml': JSON.stringify({
    accounts: ['alice'],
    broadcasts: [{ name: 'Flash sale', audience: 'everyone', messages: [{ text: 'Only today' }] }],
  }),
};
const SEND_DRAFT = ['broadcasts', 'send', 'drafts/today.yaml#Flash sale', '--allow', 'now', '--yes'];
const saying = (text: string, more: object = {}) =>
  declaring({ broadcasts: [broadcast({ messages: [{ text }], ...more })] });

function statuses({ accounts }: World): readonly string[] {
  const { campaigns = {}, broadcasts = {} } = accounts['101'] ?? {};
  return Object.values({ ...campaigns, ...broadcasts }).map(
    ({ live: { status, messages } }) => `${status ?? 'null'} ${messages[0]?.text ?? ''}`,
  );
}

/** The code of a command is loaded before, so that no virtual time passes meanwhile. */
async function load(scene: Scene): Promise<void> {
  for (const verb of ['pause', 'resume', 'recall'])
    await scene.herald('broadcasts', verb, '1', '--account', 'alice', '--yes');
}

/** A broadcast that an apply has made and then paused. */
async function aPausedOne() {
  const the = twoClones(saying('Old words'));
  expect((await the.scene.herald('apply', '--yes')).code).toBe(0);
  const [id = ''] = Object.keys(the.world.accounts['101']?.broadcasts ?? {});
  Object.assign(the.scene.files.tree, saying('Old words', { status: 'paused' }));
  expect((await the.scene.herald('apply', '--yes')).code).toBe(0);
  await the.scene.clock.sleep(60_000);
  await load(the.scene);
  return { ...the, id };
}

describe('while a change of an apply waits, a git pull brings', () => {
  it('a create of the next version: the old one is not resumed', async () => {
    const { scene, world, forBob, pull, throttledOnce } = await aPausedOne();
    const bob = forBob();
    Object.assign(scene.files.tree, saying('Old words'));
    Object.assign(bob.files.tree, saying('New words'));
    throttledOnce(() => pull(bob, ['apply', '--yes']));
    const ran = await scene.herald('apply', '--yes');
    await scene.clock.sleep(200_000);
    expect(statuses(world)).toEqual(['paused Old words', 'scheduled New words']);
    expect([ran.code, ran.stdout.includes('came into the ledger meanwhile')], ran.stdout).toEqual([1, true]);
  });

  it('a resume by hand of the old version: the next one is not created', async () => {
    const { scene, world, id, forBob, pull, throttledOnce } = await aPausedOne();
    const bob = forBob();
    Object.assign(scene.files.tree, saying('New words'));
    throttledOnce(() => pull(bob, ['broadcasts', 'resume', id, '--account', 'alice', '--yes']));
    const ran = await scene.herald('apply', '--yes');
    await scene.clock.sleep(200_000);
    expect(statuses(world)).toEqual(['scheduled Old words']);
    expect(ran.stdout).toContain(`Not created, because a request of bob to start ${id}, of Mon`);
  });

  it('a recall by hand: what is recalled is not resumed', async () => {
    const { scene, turn, id, forBob, pull, throttledOnce } = await aPausedOne();
    const bob = forBob();
    Object.assign(scene.files.tree, saying('Old words'));
    turn.sent.length = 0;
    throttledOnce(() => pull(bob, ['broadcasts', 'recall', id, '--account', 'alice', '--yes']));
    const ran = await scene.herald('apply', '--yes');
    expect(turn.sent.filter(({ by }) => by === 'alice')).toHaveLength(1);
    expect(ran.stdout).toContain(`Not sent, because a request of bob to recall ${id}, of Mon`);
  });

  it('the same content under another name: it is not created', async () => {
    const { scene, world, forBob, pull, throttledOnce } = twoClones(
      declaring({ campaigns: [campaign({ name: 'Hello' })] }),
    );
    const bob = forBob();
    Object.assign(bob.files.tree, declaring({ campaigns: [campaign({ name: 'Welcome' })] }));
    throttledOnce(() => pull(bob, ['apply', '--yes']));
    const ran = await scene.herald('apply', '--yes');
    await scene.clock.sleep(200_000);
    expect([ran.code, statuses(world).length], ran.stdout).toEqual([1, 1]);
  });

  it('a recall by hand of the version that a create replaces: nothing is created under its name', async () => {
    const { scene, world, forBob, pull, throttledOnce, alter } = twoClones(saying('Old words'));
    expect((await scene.herald('apply', '--yes')).code).toBe(0);
    const [id = ''] = Object.keys(world.accounts['101']?.broadcasts ?? {});
    const bob = forBob();
    Object.assign(scene.files.tree, saying('New words'));
    await load(scene);
    let writes = 0;
    alter.of = async (_request, answer) => {
      writes += 1;
      if (writes === 1)
        throttledOnce(() => pull(bob, ['broadcasts', 'recall', id, '--account', 'alice', '--yes']));
      return answer();
    };
    await scene.herald('apply', '--yes');
    expect(statuses(world).filter((one) => one.includes('New words'))).toEqual([]);
  });

  it('a send and a pause of a draft: no step is named that knows no drafts', async () => {
    const { scene, world, forBob, bring, answered, throttledOnce } = twoClones(DRAFT);
    const bob = forBob();
    await load(scene);
    throttledOnce(async () => {
      await answered(bob, ...SEND_DRAFT);
      const [id = ''] = Object.keys(world.accounts['101']?.broadcasts ?? {});
      await answered(bob, 'broadcasts', 'pause', id, '--account', 'alice', '--yes');
      bring(bob);
    }, 20);
    const ran = await scene.herald(...SEND_DRAFT);
    expect(ran.stdout).toContain('Run "herald broadcasts send" again.');
    expect(ran.stdout).not.toMatch(/herald (?:plan|apply)/);
  });
});

describe('while a request waits, a git pull brings an answered one for the same', () => {
  it.each([
    ['raw', ['api', 'payouts.request', '--account', 'alice', '--body', 'payout.json', '--yes']],
    ['by the command', ['payouts', 'request', '--account', 'alice', '--amount', '100.10', '--yes']],
  ])('a payout of ten minutes before (%s) is not requested again', async (_, command) => {
    const { scene, simulator, forBob, bring, answered, throttledOnce } = twoClones({
      'payout.json': '{"withdrawal_amount": 100.10}',
    });
    const bob = forBob();
    expect((await answered(bob, ...command)).code).toBe(0);
    await scene.clock.sleep(600_000);
    throttledOnce(() => Promise.resolve(bring(bob)));
    const ran = await scene.herald(...command);
    const cents = simulator.control.oracle().payouts['101']?.committed.map((one) => one.cents);
    expect([ran.code, cents], ran.stderr).toEqual([5, [10_010]]);
  });

  it.each([20, 45])('a message that the chat does not show yet is not sent again (%i s)', async (sec) => {
    const { scene, simulator, forBob, bring, answered, throttledOnce } = twoClones({}, { chatDelaySec: 240 });
    const bob = forBob();
    const command = [...SEND, '--text', 'A word', '--yes'];
    expect((await answered(bob, ...command)).code).toBe(0);
    await scene.clock.sleep(70_000);
    throttledOnce(() => Promise.resolve(bring(bob)), sec);
    const ran = await scene.herald(...command);
    const sent = simulator.control.oracle().chats['101']?.sends[CHAT]?.map(({ text }) => text);
    expect([ran.code, sent], ran.stderr).toEqual([5, ['A word']]);
  });

  it('other words are sent all the same after a minute', async () => {
    const { scene, forBob, bring, answered, throttledOnce } = twoClones();
    const bob = forBob();
    expect((await answered(bob, ...SEND, '--text', 'A word', '--yes')).code).toBe(0);
    await scene.clock.sleep(70_000);
    throttledOnce(() => Promise.resolve(bring(bob)));
    const ran = await scene.herald(...SEND, '--text', 'Another word', '--yes');
    expect(ran.code, ran.stderr).toBe(0);
  });

  it.each([0, 120])(
    'a draft of a machine with a clock that is %i s slow is not sent again',
    async (slowSec) => {
      const { scene, simulator, world, forBob, answered, throttledOnce } = twoClones(DRAFT);
      const bob = forBob();
      simulator.control.addFault({ kind: 'list_lag', operation: 'broadcasts.create', lag_sec: 58, nth: 1 });
      throttledOnce(async () => {
        expect((await answered(bob, ...SEND_DRAFT)).code).toBe(0);
        const { tree } = scene.files;
        tree[LEDGER_FILE] =
          (tree[LEDGER_FILE] ?? '') + slow(bob.files.tree[LEDGER_FILE] ?? '', slowSec * 1000);
      }, 30);
      await scene.herald(...SEND_DRAFT);
      await scene.clock.sleep(200_000);
      expect(statuses(world)).toHaveLength(1);
    },
  );
});

/** The lines of a machine with a clock that is slow by so much. */
function slow(text: string, ms: number): string {
  const lines = text.split('\n').filter((line) => line !== '');
  return lines
    .map((line) => {
      const parsed = JSON.parse(line) as Record<string, unknown>;
      const { at, sent_at_ms: sentAtMs } = parsed;
      const skews = Object.keys(parsed).filter((member) => member.endsWith('skew_ms'));
      const changed = {
        ...parsed,
        at: new Date(Date.parse(String(at)) - ms).toISOString(),
        ...(typeof sentAtMs === 'number' ? { sent_at_ms: sentAtMs - ms } : {}),
        ...Object.fromEntries(skews.map((member) => [member, Number(parsed[member] ?? 0) + ms])),
      };
      return `${JSON.stringify(changed)}\n`;
    })
    .join('');
}

describe('while a request by hand waits, a git pull brings an unconfirmed one', () => {
  it('of the same recall: it is not sent a second time', async () => {
    const { scene, world, turn, forBob, pull, throttledOnce } = twoClones(saying('Old words'));
    expect((await scene.herald('apply', '--yes')).code).toBe(0);
    const [id = ''] = Object.keys(world.accounts['101']?.broadcasts ?? {});
    const recall = ['broadcasts', 'recall', id, '--account', 'alice', '--yes'];
    const bob = forBob();
    turn.sent.length = 0;
    throttledOnce(() => pull(bob, recall));
    await scene.herald(...recall);
    expect(turn.sent.filter(({ by }) => by === 'alice')).toHaveLength(1);
  });

  it.each([
    ['broadcasts.create', { messages: [{ text: 'Hello' }], audience_filters: [] }],
    [
      'campaigns.create',
      {
        trigger: 'welcome_message',
        action: 'send_message',
        messages: [{ text: 'Hello' }],
        audience_filters: [],
      },
    ],
  ])('of a raw %s without a name: nothing more is created', async (operation, body) => {
    const { scene, world, forBob, pull, throttledOnce } = twoClones({ 'body.json': JSON.stringify(body) });
    const bob = forBob();
    const create = ['api', operation, '--account', 'alice', '--body', 'body.json', '--yes'];
    throttledOnce(() => pull(bob, create));
    const ran = await scene.herald(...create);
    await scene.clock.sleep(200_000);
    expect([ran.code, statuses(world).length], ran.stderr).toEqual([5, 1]);
  });
});
