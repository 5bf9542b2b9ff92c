import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { listShape } from '../../src/cli/schemas.ts';
import { errorReportShape } from '../../src/domain/change.ts';
import { type FaultInput } from '../../src/simulator/fault-shape.ts';
import { documentOf, expectEnd, itemOf } from '../helpers/flows.ts';
import { aScene, type Scene } from '../helpers/scene.ts';

const ALICE = ['--account', 'alice'];
const aBroadcast = (scene: Scene, unreadable = false) =>
  scene.service(
    (control) => control.seedBroadcast('101', { name: 'News', unreadable, messages: [{ text: 'New' }] }).id,
  );

describe('herald accounts get', () => {
  it.each(['alice', '101', '9101'])('finds an account by %s', async (given) => {
    const scene = aScene();
    expect(itemOf(await scene.herald('accounts', 'get', given, '--format', 'json'))).toMatchObject({
      id: '101',
      platform_account_id: '9101',
      username: 'alice_x',
    });
    expect((await scene.herald('accounts', 'get', given)).stdout).toMatch(/^id on the platform +9101$/m);
  });

  it('says what is wrong', async () => {
    expectEnd(await aScene().herald('accounts', 'get', 'alcie'), 1, 'No account, group or id is "alcie"');
    const scene = aScene();
    scene.files.tree['herald.yaml'] += 'groups: { vip: [alice] }\n';
    expectEnd(await scene.herald('accounts', 'get', 'vip'), 1, '"vip" is a group');
  });
});

describe('herald campaigns get', () => {
  const aCampaign = (scene: Scene) => {
    const paid = [{ id: '55012', type: 'image', is_paid: true }];
    const messages = [
      { text: 'Hi\nthere \u001b[31m', price_gross: 9.99, attachments: paid },
      { text: null, delay_sec: 3600, attachments: [{ id: '7', type: 'video' }] },
    ];
    return scene.service((control) => control.seedCampaign('101', { name: 'Welcome', messages }).id);
  };

  it('shows its audience, messages and figures', async () => {
    const scene = aScene();
    const id = await aCampaign(scene);
    const { code, stdout } = await scene.herald('campaigns', 'get', id, ...ALICE);
    expect(code).toBe(0);
    for (const line of [
      /^account +alice$/m,
      new RegExp(`^id +${id}$`, 'm'),
      /^audience +everyone$/m,
      /^rule unsend_delay_sec +0 s$/m,
      /^message 1: \$9\.99, with image 55012 \(paid\)\n {2}Hi\n {2}there \\u\{1b\}\[31m$/m,
      /^message 2: free, after 1 h, with video 7\n {2}\(no text\)$/m,
      /^targeted sends +0$/m,
      /^sent \(first message\) +0$/m,
      /^later message: step 1, sent 0, /m,
    ])
      expect(stdout).toMatch(line);
  });

  // BROADCAST-23
  it.each([
    ['campaigns', 'none'],
    ['broadcasts', 'n/a'],
  ] as const)('tells none from those that cannot be read: %s', async (plural, said) => {
    const scene = aScene();
    const id = await (plural === 'campaigns' ? aCampaign : aBroadcast)(scene);
    await scene.fault({ kind: 'odd_reply', operation: `${plural}.get`, set: { messages: [] } });
    const { stdout } = await scene.herald(plural, 'get', id, ...ALICE);
    expect(stdout).toContain(`\n\nmessages: ${said}\n`);
  });

  // CONTENT-25
  it('shows rates that are null as n/a, and computes none', async () => {
    const scene = aScene();
    const id = await aCampaign(scene);
    const counts = { sent_messages_count: 2, replied_messages_count: 5 };
    const stats = { ...counts, reply_rate: null, purchase_rate: null };
    const set = { first_message_stats: stats, action: null, status: 'half_done' };
    for (const operation of ['campaigns.get', 'campaigns.list'] as const)
      await scene.fault({ kind: 'odd_reply', operation, set });
    const { stdout } = await scene.herald('campaigns', 'get', id, ...ALICE);
    expect(stdout).toMatch(/^reply rate +n\/a$/m);
    expect(stdout).toMatch(/^status +half_done$/m);
    expect(stdout).toMatch(/^action +unnamed$/m);
    const [, row = ''] = (await scene.herald('campaigns', 'list', ...ALICE)).stdout.split('\n');
    expect(row.split(/ {2,}/).slice(-2)).toEqual(['2', '5']);
    const columns = ['--columns', 'first_message_stats.reply_rate'];
    const asked = await scene.herald('campaigns', 'list', ...ALICE, ...columns);
    expect(asked.stdout.split('\n')[1]?.trim()).toBe('n/a');
  });
});

it.each([
  ['the one that runs', ['paused', 'active'], '^id +2$'],
  ['the only one that is not archived', ['paused', 'archived'], '^id +1$'],
  ['none of several that run', ['active', 'active'], 'Use an id: herald campaigns get 1 --account alice'],
])('a name with several campaigns means %s', async (_, statuses, words) => {
  const scene = aScene();
  await scene.service((control) => {
    for (const [at, status] of statuses.entries())
      control.seedCampaign('101', { id: String(at + 1), name: 'Welcome', status });
  });
  const ran = await scene.herald('campaigns', 'get', 'alice/campaign/Welcome');
  expect(`${ran.stdout}${ran.stderr}`).toMatch(new RegExp(words, 'm'));
});

// BROADCAST-23
describe('a broadcast that the service cannot read', () => {
  const FIGURES = [
    'messages.length',
    'targeted_recipients_count',
    'stats.sent_messages_count',
    'stats.reply_rate',
  ];

  it('has no figures in a table and in CSV, is not shown alone, and the error names the list', async () => {
    const scene = aScene();
    const id = await aBroadcast(scene, true);
    const columns = ['--columns', ['status', ...FIGURES].join(',')];
    const table = await scene.herald('broadcasts', 'list', ...ALICE, ...columns);
    expect(table.stdout.split('\n')[1]).toMatch(/^\w*(?: {2,}n\/a){4} *$/);
    const csv = await scene.herald('broadcasts', 'list', ...ALICE, ...columns, '--format', 'csv');
    expect(csv.stdout.split('\n')[1]).toMatch(/^\w*,,,,$/);
    const ran = await scene.herald('broadcasts', 'get', id, ...ALICE);
    expectEnd(ran, 1, 'Its content may be unreadable. The list still shows it.');
  });

  // BROADCAST-25
  it('differs from one with recipients that are not prepared yet', async () => {
    const scene = aScene();
    await aBroadcast(scene);
    const columns = ['--columns', 'messages.length,targeted_recipients_count'];
    const { stdout } = await scene.herald('broadcasts', 'list', ...ALICE, ...columns);
    expect(stdout.split('\n')[1]?.trim().split(/ {2,}/)).toEqual(['1', 'not prepared']);
  });
});

it.each(['json', 'csv'])('what works as a key is not printed: %s', async (format) => {
  const scene = aScene();
  await scene.service((control) =>
    control.seed({ account_id: '101', kind: 'vault_upload', set: { status: 'processing' } }),
  );
  const metadata = { name: 'a.jpg', get_url: 'https://store.example/a.jpg?signature=s3cr3t#x' };
  await scene.fault({ kind: 'odd_reply', operation: 'vault.uploads', set: { metadata } });
  const columns = format === 'csv' ? ['--columns', 'id,metadata.get_url,metadata'] : [];
  const { code, stdout } = await scene.herald('vault', 'uploads', ...ALICE, '--format', format, ...columns);
  expect([code, stdout.includes('s3cr3t')]).toEqual([0, false]);
  expect(stdout).toContain('https://store.example/a.jpg?…');
});

const listed = listShape.extend({ items: z.array(z.record(z.string(), z.unknown())) });
const TRANSACTIONS = ['revenue', 'transactions', '--from', '60d'];
const ALICE_TRANSACTIONS = [...TRANSACTIONS, '--account', 'alice'];

/** Every account has 1,100 transactions, which are two pages. */
async function aBusyScene(...faults: readonly FaultInput[]): Promise<Scene> {
  const scene = aScene();
  await scene.service((control) => control.setData({ transactions: 1100 }));
  for (const fault of faults) await scene.fault(fault);
  return scene;
}

/** From the nth page on, every try. */
const brokenFrom = (nth: number): FaultInput => ({
  kind: 'broken_answer',
  operation: 'revenue.transactions',
  nth,
  times: 50,
  when: 'before_commit',
  how: 'truncated',
});

it('a list without rows says so, next to the header of its table', async () => {
  const ran = await aScene().herald('payouts', 'list', '--account', 'alice');
  expect(ran).toMatchObject({ code: 0, stderr: 'No payouts.\n' });
  expect(ran.stdout.split('\n')).toHaveLength(2);
});

describe('a list that breaks off', () => {
  it('is one document that says so, with what was read until then', async () => {
    const scene = await aBusyScene(brokenFrom(2));
    const ran = await scene.herald(...ALICE_TRANSACTIONS, '--format', 'json');
    const { items, complete } = documentOf(ran, listed);
    expect([ran.code, items.length, complete]).toEqual([1, 1000, false]);
    expect(ran.stderr).toContain('error: alice: ');
    expect(ran.stderr).toContain('(GET /api/v0/platforms/platform_a/accounts/9101/');
    expect(ran.stderr).toContain('The list is incomplete: rows are missing or may be.');
  });

  it('does not take the other accounts with it', async () => {
    const scene = await aBusyScene({ ...brokenFrom(1), account_id: '101' });
    const ran = await scene.herald(...TRANSACTIONS, '--format', 'json');
    const { items, complete } = documentOf(ran, listed);
    expect([ran.code, items.length, complete]).toEqual([4, 1100, false]);
    expect(new Set(items.map(({ account }) => account))).toEqual(new Set(['bob']));
    expect(ran.stderr).toContain('The list is incomplete for 1 of 2 accounts');
  });

  it('asks no further account when the key may not read the first', async () => {
    const scene = await aBusyScene();
    await scene.service((control) => control.addKey({ key: 'sim-key', permissions: ['accounts.view'] }));
    const ran = await scene.herald(...TRANSACTIONS, '--format', 'json');
    expect([ran.code, documentOf(ran, errorReportShape).code]).toEqual([1, 'API_KEY_PERMISSION_DENIED']);
    expect(documentOf(ran, errorReportShape).hint).toContain('dashboard.view');
  });
});

// READ-1
it('a reply that is not what the document says is shown as it came where nothing depends on it', async () => {
  const item = {
    id: 7,
    amount: 'twelve',
    fan: null,
    type: 3,
    status: 'never_heard_of',
    timestamp: 'yesterday',
    more: { x: '\u009b31m' },
  };
  const scene = await aBusyScene({ kind: 'odd_reply', operation: 'revenue.transactions', set: item });
  const table = await scene.herald(...ALICE_TRANSACTIONS, '--limit', '1');
  expect(table.stdout).toMatch(/^alice +7 +yesterday +twelve +3 +never_heard_of +n\/a$/m);
  const { stdout } = await scene.herald(...ALICE_TRANSACTIONS, '--format', 'ndjson', '--limit', '1');
  expect(JSON.parse(stdout)).toMatchObject({ account: 'alice', ...item, id: '7' });
  expect(stdout).toContain('\\u009b31m');
});
