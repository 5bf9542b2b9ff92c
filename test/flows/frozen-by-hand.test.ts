import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Control } from '../../src/simulator/control.ts';
import { altered, type Alter } from '../helpers/altered.ts';
import { parseLedger } from '../../src/ledger/parse.ts';
import { acts, CHAT, errorOf, itemOf, SEND } from '../helpers/chats.ts';
import { payout, refusedPayout } from '../helpers/payouts.ts';
import { LEDGER_FILE } from '../helpers/scene.ts';

afterEach(() => vi.unstubAllGlobals());

type Service = ReturnType<typeof altered>;
type Act = (control: Control) => void;

/** The process is frozen for four minutes while it writes its intent. Before it goes on, a colleague acts. */
function frozen(act: Act, alter: Alter = (_request, answer) => answer()): Service {
  const service = altered(alter);
  const { files, clock } = service.scene;
  let isOver = false;
  files.onWrite = (_path, text) => {
    if (!isOver && /"type":"(?:act|intent)"/.test(text)) {
      isOver = true;
      clock.move(240_000);
      act(service.simulator.control);
    }
    return 'done';
  };
  return service;
}

/** The service lets it wait for a minute, and a colleague acts in the middle of that. */
function throttled(act: Act): Service {
  let isOver = false;
  const service = altered(async (request, answer) => {
    if (request.method === 'GET' || isOver) return answer();
    isOver = true;
    void service.scene.clock.sleep(30_000).then(() => act(service.simulator.control));
    return new Response('{"error":"slow down"}', { status: 429, headers: { 'retry-after': '60' } });
  });
  return service;
}

const WAYS = [
  ['the process was frozen', frozen],
  ['the service let it wait', throttled],
] as const;

describe.each(WAYS)('a chat message after %s', (_way, held) => {
  const says =
    (text: string): Act =>
    (control) =>
      control.seed({ account_id: '101', kind: 'chat_message', set: { chat_id: CHAT, text } });
  const send = async ({ scene, simulator }: Service, ...flags: readonly string[]) => {
    const ran = await scene.herald(...SEND, '--text', 'A word', '--format', 'json', '--yes', ...flags);
    const sends = simulator.control.oracle().chats['101']?.sends[CHAT] ?? [];
    return { ran, texts: sends.map(({ text }) => text) };
  };

  it('is not sent if a colleague has sent the same meanwhile', async () => {
    const service = held(says('A word'));
    const { ran, texts } = await send(service);
    expect([ran.code, errorOf(ran).code, texts]).toEqual([5, 'similar-message', []]);
    expect(errorOf(ran).message).toContain('Nothing was sent');
    expect(acts(service.scene).filter(({ outcome }) => outcome !== 'not_sent')).toEqual([]);
  });

  it('is sent once if a colleague has sent something else', async () => {
    const { ran, texts } = await send(held(says('Another word')));
    expect([ran.code, itemOf(ran)['outcome'], texts]).toEqual([0, 'queued', ['A word']]);
  });

  it('is sent if the same was allowed', async () => {
    const { ran, texts } = await send(held(says('A word')), '--allow-similar');
    expect([ran.code, itemOf(ran)['outcome'], texts]).toEqual([0, 'queued', ['A word']]);
  });
});

describe('a payout', () => {
  const asks =
    (amount: number): Act =>
    (control) =>
      control.seed({ kind: 'payout_request', account_id: '101', set: { amount } });
  const centsOf = ({ simulator }: Service) =>
    simulator.control.oracle().payouts['101']?.committed.map(({ cents }) => cents) ?? [];

  it('is not requested after the process was frozen and a colleague has requested the same', async () => {
    const service = frozen(asks(100.1));
    const { code, message } = await refusedPayout(service.scene, 5);
    expect(code).toBe('similar-payout');
    expect(message).toContain('inv-9101-0001');
    expect(centsOf(service), 'that of the colleague').toEqual([10_010]);
    expect(acts(service.scene).filter(({ outcome }) => outcome !== 'not_sent')).toEqual([]);
  });

  it('counts as made after a 429 if a later list shows one of its amount', async () => {
    const service = throttled(asks(100.1));
    const { code, item } = await payout(service.scene);
    expect([code, item['outcome'], item['invoiceId']]).toEqual([0, 'adopted', 'inv-9101-0001']);
    expect(centsOf(service), 'that of the colleague').toEqual([10_010]);
  });

  it.each(WAYS)('goes on record with the invoices of the later list after %s', async (_way, held) => {
    const service = held(asks(50));
    const { code, item } = await payout(service.scene);
    expect([code, item['outcome'], item['invoiceId']]).toEqual([0, 'requested', 'inv-9101-0002']);
    expect(centsOf(service)).toEqual([5_000, 10_010]);
    expect(acts(service.scene).at(-1)?.details['baseline']).toEqual(['inv-9101-0001']);
  });
});

describe.each(WAYS)('a campaign that is activated by hand after %s', (_way, held) => {
  const welcome = { name: 'Welcome', trigger: 'welcome_message', messages: [{ text: 'Hey' }] };
  const activate = async (act: Act, ...flags: readonly string[]) => {
    const { scene, simulator, world } = held(act);
    const { id } = simulator.control.seedCampaign('101', { ...welcome, status: 'paused' });
    const typed = ['campaigns', 'activate', id, '--account', 'alice', '--yes', ...flags];
    const ran = await scene.herald(...typed);
    const live = Object.values(world.accounts['101']?.campaigns ?? {});
    return { ran, statuses: live.map(({ live: { status } }) => status) };
  };

  it('stays as it is if a colleague has made one of its name meanwhile', async () => {
    const { ran, statuses } = await activate((control) => control.seedCampaign('101', welcome));
    expect([ran.code, statuses], ran.stdout + ran.stderr).toEqual([1, ['paused', 'active']]);
    expect(ran.stdout).toContain('appeared with this name');
  });

  it('is activated if a colleague has made another one', async () => {
    const other = { ...welcome, name: 'Other', trigger: 'expired_subscription' };
    const { ran, statuses } = await activate((control) => control.seedCampaign('101', other));
    expect([ran.code, statuses], ran.stdout + ran.stderr).toEqual([0, ['active', 'active']]);
  });
});

describe('a raw create after the process was frozen', () => {
  const body = {
    trigger: 'welcome_message',
    action: 'send_message',
    name: 'Welcome',
    messages: [{ text: 'Hey' }],
  };
  const create = async ({ scene, world }: Service) => {
    scene.files.tree['body.json'] = JSON.stringify(body);
    const typed = ['campaigns.create', '--param', 'account_id=101', '--body', 'body.json', '--yes'];
    const ran = await scene.herald('api', ...typed);
    const { lines } = parseLedger(scene.files.tree[LEDGER_FILE] ?? '');
    const outcomes = lines.flatMap((line) => (line.type === 'outcome' ? [line.outcome] : []));
    const intents = lines.flatMap((line) => (line.type === 'intent' ? [line] : []));
    return { ran, outcomes, intents, ids: Object.keys(world.accounts['101']?.campaigns ?? {}) };
  };

  it('goes on record with the ids of the later list', async () => {
    const { ran, intents, ids } = await create(frozen((control) => control.seedCampaign('101', body)));
    expect([ran.code, ids.length], ran.stderr).toEqual([0, 2]);
    expect(intents.at(-1)?.baseline).toEqual([ids[0]]);
  });

  it('is not sent, and not left open, if the list cannot be read again', async () => {
    let isDown = false;
    const service = frozen(
      () => (isDown = true),
      async (_request, answer) => (isDown ? new Response('<html>', { status: 502 }) : answer()),
    );
    const { ran, outcomes, ids } = await create(service);
    expect([ran.code, outcomes, ids], ran.stderr).toEqual([1, ['not_sent'], []]);
    expect(ran.stderr).toContain('502');
  });
});
