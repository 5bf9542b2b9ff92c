import { afterEach, describe, expect, it, vi } from 'vitest';
import { altered } from '../helpers/altered.ts';
import { CHAT, errorOf, SEND } from '../helpers/chats.ts';
import { payout, refusedPayout } from '../helpers/payouts.ts';
import { LEDGER_FILE } from '../helpers/scene.ts';

afterEach(() => vi.unstubAllGlobals());

const FLASH = { name: 'Flash sale', audience: 'everyone', messages: [{ text: 'Only today' }] };
const DRAFT = JSON.stringify({ accounts: ['alice'], broadcasts: [FLASH] });
const SEND_NOW = ['broadcasts', 'send', 'drafts/today.yaml#Flash sale', '--allow', 'now', '--yes'];

type Service = ReturnType<typeof altered>;

/** The process is frozen for four minutes at its first intent. Answers to what it then reads again go through `reading`. */
function frozenThen(
  isReading: (url: string) => boolean,
  reading: (service: Service, nth: number) => unknown,
) {
  const held = { isFrozen: false, readings: 0 };
  const service: Service = altered(
    async (request, answer) => {
      const response = await answer();
      if (!held.isFrozen || request.method !== 'GET' || !isReading(request.url)) return response;
      held.readings += 1;
      await reading(service, held.readings);
      return response;
    },
    { files: { 'drafts/today.yaml': DRAFT } },
  );
  const { files, clock } = service.scene;
  files.onWrite = (_path, text) => {
    if (!held.isFrozen && /"type":"(?:act|intent)"/.test(text)) {
      held.isFrozen = true;
      clock.move(240_000);
    }
    return 'done';
  };
  return { ...service, held };
}

describe('what is read again, and is heard more than a minute late', () => {
  it('does not let a chat message go after three more readings', async () => {
    const { scene, simulator, held } = frozenThen(
      (url) => url.includes('/messages'),
      ({ scene: { clock }, simulator: { control } }, nth) => {
        if (nth < 3) return clock.sleep(6_000);
        // Less than the time-out of a reading.
        clock.move(70_000);
        return control.seed({
          account_id: '101',
          kind: 'chat_message',
          set: { chat_id: CHAT, text: 'A word' },
        });
      },
    );
    const ran = await scene.herald(...SEND, '--text', 'A word', '--yes', '--format', 'json');
    expect([ran.code, held.readings, simulator.control.oracle().chats['101']?.sends[CHAT] ?? []]).toEqual([
      1,
      3,
      [],
    ]);
    expect(errorOf(ran).message).toContain('was read 4 times');
  });

  it('does not let a broadcast go that is sent at once', async () => {
    const { scene, simulator, held } = frozenThen(
      (url) => url.includes('priority-mass-message-campaigns?'),
      ({ scene: { clock }, simulator: { control } }, nth) => {
        if (nth > 1) return;
        clock.move(70_000);
        control.seedBroadcast('101', { name: 'Flash sale', status: 'sending', scheduled_at: null });
      },
    );
    const ran = await scene.herald(...SEND_NOW);
    const { requests } = simulator.control.oracle();
    expect(requests.filter(({ operation }) => operation === 'broadcasts.create')).toEqual([]);
    expect([ran.code, held.readings > 1], ran.stdout).toEqual([1, true]);
  });
});

/** The only copy of a payout is answered with a 429, and a colleague asks for so much while it waits. */
function throttledNextTo(amount: number): Service {
  let isOver = false;
  const service: Service = altered(async (request, answer) => {
    if (request.method === 'GET' || isOver) return answer();
    isOver = true;
    const set = { amount };
    const { clock } = service.scene;
    void clock
      .sleep(30_000)
      .then(() => service.simulator.control.seed({ kind: 'payout_request', account_id: '101', set }));
    return new Response('{"error":"slow down"}', { status: 429, headers: { 'retry-after': '60' } });
  });
  return service;
}

describe('a payout that was answered with a 429', () => {
  it('goes by the balances of the end of that wait', async () => {
    const { code, item } = await payout(throttledNextTo(200.2).scene);
    expect([code, item['outcome'], item['invoiceId']]).toEqual([0, 'requested', 'inv-9101-0002']);
  });

  it('is not said to be made, nor sent again, if it was allowed next to the one that a list shows then', async () => {
    const { scene, simulator } = throttledNextTo(100.1);
    const { code, message } = await refusedPayout(scene, 3, '--allow-similar');
    expect([code, simulator.control.oracle().payouts['101']?.committed.length]).toEqual([
      'unknown-outcome',
      1,
    ]);
    expect(message).toContain('inv-9101-0001');
  });
});

describe('what leaves late on a slow machine or at a low rate', () => {
  it('is not sent, after a few tries, if each line of the ledger takes 6 s', async () => {
    const { scene } = altered((_request, answer) => answer());
    let lines = 0;
    scene.files.onWrite = (path) => {
      if (path === LEDGER_FILE && (lines += 1) <= 100) scene.clock.move(6_000);
      return 'done';
    };
    const ran = await scene.herald(...SEND, '--text', 'A word', '--yes');
    expect([ran.code, lines < 20], ran.stderr).toEqual([1, true]);
    expect(ran.stderr).toContain('it could not be recorded, checked and sent within 5 s');
  });

  it('is a raw create on an account with a list that takes half a minute', async () => {
    const { scene, world } = altered(async (request, answer) => {
      if (request.method === 'GET' && request.url.includes('auto-message')) scene.clock.move(31_000);
      return answer();
    });
    scene.files.tree['body.json'] = JSON.stringify({
      trigger: 'welcome_message',
      action: 'send_message',
      name: 'Welcome',
      messages: [{ text: 'Hey' }],
    });
    const typed = ['campaigns.create', '--param', 'account_id=101', '--body', 'body.json', '--yes'];
    const ran = await scene.herald('api', ...typed);
    expect(ran.code, ran.stderr).toBe(0);
    expect(Object.keys(world.accounts['101']?.campaigns ?? {})).toHaveLength(1);
  });

  it.each([0.05, 0.2])('is a payout at a rate_share of %d', async (share) => {
    const { scene } = altered((_request, answer) => answer());
    const { tree } = scene.files;
    tree['herald.yaml'] = String(tree['herald.yaml']).replace(
      'service: {',
      `service: { rate_share: ${share},`,
    );
    const { code } = await payout(scene);
    expect(code).toBe(0);
  });
});
