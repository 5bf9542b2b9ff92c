import { afterEach, describe, expect, it, vi } from 'vitest';
import { CHAT, SEND } from '../helpers/chats.ts';
import { campaign, declaring } from '../helpers/declare-live.ts';
import type { Scene } from '../helpers/scene.ts';
import { twoClones } from '../helpers/two-clones.ts';

afterEach(() => vi.unstubAllGlobals());

const DRAFT = JSON.stringify({
  accounts: ['alice'],
  broadcasts: [{ name: 'Flash sale', audience: 'everyone', messages: [{ text: 'Only today' }] }],
});

/** Two clones with a campaign, a draft and a payout. Of Bob's request no one hears, and it arrives a minute later. */
function clones() {
  const the = twoClones({
    ...declaring({ campaigns: [campaign()] }),
    'drafts/today.yaml': DRAFT,
    'payout.json': '{"withdrawal_amount": 100.10}',
  });
  const bob = the.forBob();
  return { ...the, pull: (command: readonly string[]) => the.pull(bob, command) };
}

/** Alice runs the same as Bob, who does so while her request waits. */
async function bothSend(how: 'throttled' | 'frozen', command: readonly string[]) {
  const { scene, simulator, world, pull, throttledOnce } = clones();
  let isOver = how === 'throttled';
  if (isOver) throttledOnce(() => pull(command));
  const disk = async () => {
    if (isOver) return;
    isOver = true;
    scene.clock.move(240_000);
    await pull(command);
  };
  const ran = await scene.startAs({ disk }, ...command).ran;
  await scene.clock.sleep(200_000);
  const campaigns = Object.values(world.accounts['101']?.campaigns ?? {});
  return { ran, oracle: simulator.control.oracle(), statuses: campaigns.map(({ live }) => live.status) };
}

describe.each(['throttled', 'frozen'] as const)(
  'a request that was %s while a git pull brought an unconfirmed one for the same',
  (how) => {
    it('of a payout is not sent', async () => {
      const ask = ['payouts', 'request', '--account', 'alice', '--amount', '100.10', '--yes'];
      const { ran, oracle } = await bothSend(how, ask);
      expect(oracle.payouts['101']?.committed.map(({ cents }) => cents)).toEqual([10_010]);
      expect([ran.code, ran.stderr.includes('came into the ledger meanwhile')]).toEqual([5, true]);
    });

    it('of a raw payout is not sent', async () => {
      const ask = ['api', 'payouts.request', '--account', 'alice', '--body', 'payout.json', '--yes'];
      const { ran, oracle } = await bothSend(how, ask);
      expect(oracle.payouts['101']?.committed.map(({ cents }) => cents)).toEqual([10_010]);
      expect(ran.code, ran.stderr).toBe(5);
    });

    it('of a chat message is not sent', async () => {
      const { ran, oracle } = await bothSend(how, [...SEND, '--text', 'A word', '--yes']);
      expect(oracle.chats['101']?.sends[CHAT]?.map(({ text }) => text)).toEqual(['A word']);
      expect(ran.code, ran.stderr).toBe(5);
    });

    it('of a broadcast that is sent at once is not sent', async () => {
      const send = ['broadcasts', 'send', 'drafts/today.yaml#Flash sale', '--allow', 'now', '--yes'];
      const { ran, oracle } = await bothSend(how, send);
      expect(Math.max(...oracle.dispatch_counts.map(({ count }) => count))).toBe(1);
      expect(ran.code, ran.stdout).toBe(1);
      expect(ran.stdout).toContain('came into the ledger meanwhile. Run "herald broadcasts send" again.');
    });

    it('of a campaign is not sent', async () => {
      const { ran, statuses } = await bothSend(how, ['apply', '--yes']);
      expect([ran.code, statuses], ran.stdout).toEqual([1, ['active']]);
    });
  },
);

describe('a pull that brings an unconfirmed request for the same while the lists of a plan are read', () => {
  it.each([
    ['apply', ['apply', '--yes']],
    ['broadcasts send', ['broadcasts', 'send', 'drafts/today.yaml#Flash sale', '--allow', 'now', '--yes']],
  ])('%s is not sent', async (_title, command) => {
    const { scene, world, pull, turn } = clones();
    let isOver = false;
    const served = globalThis.fetch;
    vi.stubGlobal('fetch', async (request: Request) => {
      const answer = await served(request);
      const isList = request.method === 'GET' && request.url.includes('campaigns');
      if (isList && turn.of === 'alice' && !isOver) {
        isOver = true;
        await pull(command);
      }
      return answer;
    });
    const ran = await scene.herald(...command);
    await scene.clock.sleep(200_000);
    const { campaigns = {}, broadcasts = {} } = world.accounts['101'] ?? {};
    expect([ran.code, Object.keys({ ...campaigns, ...broadcasts }).length], ran.stdout).toEqual([1, 1]);
  });
});

describe('a pull that puts another file in the place of the ledger, with nothing new in it', () => {
  const MONTHS_MS = 60 * 86_400_000;

  /** From its next intent on, the run reads the whole file again, as it does on a disk. */
  function replacedAtIntent({ files }: Scene): void {
    let isReplaced = false;
    const open = files.openForAppend.bind(files);
    Object.assign(files, {
      openForAppend: async (path: string) => {
        const file = await open(path);
        let isRead = false;
        const readAdded = async () => {
          const added = await file.readAdded();
          if (!isReplaced || isRead) return added;
          isRead = true;
          return files.tree[path] ?? '';
        };
        return { ...file, readAdded };
      },
    });
    files.onWrite = (_path, text) => {
      isReplaced ||= /"type":"(?:act|intent)"/.test(text);
      return 'done';
    };
  }

  it('does not stop a payout next to one of months ago', async () => {
    const { scene } = clones();
    const ask = ['payouts', 'request', '--account', 'alice', '--yes', '--amount'];
    expect((await scene.herald(...ask, '50.00')).code).toBe(0);
    await scene.clock.sleep(MONTHS_MS);
    replacedAtIntent(scene);
    const ran = await scene.herald(...ask, '100.10');
    expect(ran.code, ran.stderr).toBe(0);
  });

  it('does not stop the next version of a campaign', async () => {
    const { scene } = clones();
    expect((await scene.herald('apply', '--yes')).code).toBe(0);
    await scene.clock.sleep(MONTHS_MS);
    replacedAtIntent(scene);
    const next = declaring({ campaigns: [campaign({ messages: [{ text: 'New words' }] })] });
    Object.assign(scene.files.tree, next);
    const ran = await scene.herald('apply', '--yes');
    expect(ran.code, ran.stdout).toBe(0);
  });
});

describe('a request for a fan, while a git pull brings an unconfirmed one for the fan during the question', () => {
  it.each([
    ['label', ['--name', 'Tom']],
    ['follow', []],
  ])('%s is not sent', async (verb, flags) => {
    const { scene, pull, turn } = clones();
    const command = ['fans', verb, '101001', '--account', 'alice', ...flags];
    scene.answer = async () => {
      await pull([...command, '--yes']);
      return true;
    };
    const ran = await scene.herald(...command);
    expect([ran.code, turn.sent.length], ran.stderr).toEqual([5, 1]);
    expect(ran.stderr).toContain('changed while Herald waited for your answer');
  });
});
