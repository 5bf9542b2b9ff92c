import { expect, it } from 'vitest';
import type { BroadcastSeed, CampaignSeed } from '../../src/simulator/seed-shape.ts';
import { decisions, planned, writesSent } from '../helpers/flows.ts';
import { anEmptyScene, imported } from './imports.ts';
import { fc, runs, anyText } from '../helpers/properties.ts';
import { aScene, type Scene } from '../helpers/scene.ts';
import { NOON } from '../helpers/flow-clock.ts';

const HOUR_MS = 3_600_000;
const optional = { requiredKeys: [] };
const id = fc.integer({ min: 1, max: 9 }).map((digit) => `${digit}${'0123456789'.repeat(2)}`.slice(0, 19));

/** Pieces that YAML, text files and variables each take for something of their own. */
const PIECES = [
  ...String.raw`Hey # : - ... {{first_name}} {{ \{{ \ }} ' " | > %YAML &a *a !tag @ null yes 18:00 1e3 0x1F`.split(
    ' ',
  ),
  '😀',
  '👩‍👧‍👦',
  'é',
  'e\u0301',
  'שלום',
  '`',
  '---\n',
  '\n\n',
  '\r\n',
  '  ',
  'word '.repeat(50),
  ...' \t\n\r\u202e\u200b\u0007\u007f\u0085\u00a0\u2028\ufeff\ufffd\ud83d'.split(''),
];
const text = fc
  .array(fc.oneof(fc.constantFrom(...PIECES), anyText({ maxLength: 8 })), { maxLength: 12 })
  .map((pieces) => pieces.join(''));

const attachment = fc.record(
  { id, type: fc.constantFrom('image', 'video', '{{x}}'), is_paid: fc.boolean() },
  { requiredKeys: ['id', 'type'] },
);
const message = fc.record(
  {
    text: fc.option(text, { nil: null }),
    price_gross: fc.constantFrom(0, 5, 9.9, 9.99, 0.1 + 0.2, 100_000_000),
    delay_sec: fc.constantFrom(0, 1, 3600),
    attachments: fc.array(attachment, { maxLength: 2 }),
    text_is_paid: fc.boolean(),
    tagged_platform_account_ids: fc.array(id, { maxLength: 2 }),
  },
  optional,
);

const instant = fc.constantFrom(
  '2026-01-01T00:00:00Z',
  '2026-01-01T02:00:00+02:00',
  '2026-12-31T18:30:00.000Z',
);
const filter = fc.record({
  kind: fc.constantFrom('purchased_from_organisation', 'subscribed_date', 'new_kind'),
  mode: fc.constantFrom('include' as const, 'exclude' as const),
  options: fc.oneof(
    fc.record(
      {
        from_at: instant,
        to_at: instant,
        lists: fc.array(fc.record({ name: fc.constantFrom('VIP', 'New') }), { minLength: 1, maxLength: 2 }),
      },
      optional,
    ),
    fc.record({ from_days: fc.nat(30), to_days: fc.nat(30) }, optional),
  ),
});

const endAt = fc.constantFrom(null, '2026-09-01T18:00:00Z', '2026-09-01T18:30:00Z', '2026-05-01T00:00:00Z');
const sharedRules = { unsend_delay_sec: fc.nat(3), unsend_if_not_read_enabled: fc.boolean(), end_at: endAt };
const campaignRules = fc.record(
  {
    ...sharedRules,
    send_delay_interval: fc.record({ min_sec: fc.nat(2), range_sec: fc.nat(2) }),
    retry_after_unsend_min: fc.nat(2),
    mimic_on_reply_enabled: fc.boolean(),
    future_rule: fc.constantFrom(null, false, 0, 7),
  },
  optional,
);
const broadcastRules = fc.record(
  {
    ...sharedRules,
    online_check_mode: fc.constantFrom('off', 'on', null),
    unsend_if_not_replied_enabled: fc.boolean(),
  },
  optional,
);

const name = fc.oneof(
  fc.constantFrom(
    'Welcome',
    'welcome',
    'Welcome ',
    'Offer: 5 #1',
    '- x',
    '18:00',
    'null',
    '{{x}}',
    'Ünï',
    'A',
  ),
  text,
);
const common = {
  name: fc.option(name, { nil: null }),
  audience_filters: fc.array(filter, { maxLength: 2 }),
};
const campaign: fc.Arbitrary<CampaignSeed> = fc.record(
  {
    ...common,
    rules: campaignRules,
    messages: fc.array(message, { maxLength: 3 }),
    trigger: fc.constantFrom('welcome_message', 'expired'),
    action: fc.constantFrom('send_message', 'start_mimic', 'something_new', null),
    status: fc.constantFrom('active', 'active', 'paused', 'archived', 'recalled', 'unsending', 'odd', null),
  },
  optional,
);
const broadcast: fc.Arbitrary<BroadcastSeed> = fc.record(
  {
    ...common,
    rules: broadcastRules,
    messages: fc.array(message, { minLength: 1, maxLength: 3 }),
    status: fc.constantFrom('scheduled', 'paused', 'queued', 'sending', 'archived', null),
    scheduled_at: fc.option(
      fc.integer({ min: 1, max: 100 }).map((hours) => new Date(NOON + hours * HOUR_MS).toISOString()),
      { nil: null },
    ),
    unreadable: fc.boolean(),
  },
  optional,
);

/** What a file can say for certain: nothing of it may be left out. */
const sure = {
  audience_filters: fc.array(
    fc.record({
      kind: fc.constantFrom('purchased_from_organisation', 'new_kind'),
      mode: fc.constantFrom('include' as const, 'exclude' as const),
      // A file cannot have a range that ends before it begins.
      options: fc
        .record(
          { from_at: instant, to_at: instant, lists: fc.constant('VIP').map((list) => [{ name: list }]) },
          optional,
        )
        .filter(({ from_at: from = '', to_at: to = '' }) => !(Date.parse(from) > Date.parse(to))),
    }),
    { maxLength: 2 },
  ),
  messages: fc.array(
    fc
      .tuple(text, fc.constantFrom(5, 9.9, 0.3), fc.array(attachment, { maxLength: 2 }), fc.nat(2))
      .map(([words, price_gross, attachments, delay_sec]) => {
        const said = words.trim() === '' && attachments.length === 0 ? 'Hey' : words;
        return { text: said, price_gross, attachments, delay_sec };
      }),
    { minLength: 1, maxLength: 3 },
  ),
};
const hour = fc.constantFrom(null, '2026-09-01T18:00:00Z', '2026-09-01T20:00:00+02:00');
const sureName = fc.constantFrom('Welcome', 'Offer: 5 #1', '- x', '18:00', 'Ünï', '"q"', "it's", '😀', '`%@');
const sureCampaign: fc.Arbitrary<CampaignSeed> = fc.record({
  ...sure,
  name: sureName,
  rules: fc.record(
    { unsend_delay_sec: fc.nat(3), mimic_on_reply_enabled: fc.boolean(), end_at: hour },
    optional,
  ),
  status: fc.constantFrom('active', 'paused'),
});
const sureBroadcast: fc.Arbitrary<BroadcastSeed> = fc.record({
  ...sure,
  name: sureName,
  rules: fc.record({ online_check_mode: fc.constantFrom('off', 'on'), end_at: hour }, optional),
  status: fc.constantFrom('scheduled', 'paused'),
});

const account = fc.constantFrom('101', '102');
/** Also on both accounts, so that something is folded. */
const places = fc.constantFrom(['101'], ['102'], ['101', '102']);
/** Accounts as people leave them: much that a file can say, and something of everything that it cannot. */
const handBuilt = fc.record({
  sureCampaigns: fc.array(fc.record({ on: places, seed: sureCampaign }), { maxLength: 11 }),
  sureBroadcasts: fc.array(fc.record({ on: places, seed: sureBroadcast }), { maxLength: 4 }),
  campaigns: fc.array(fc.record({ account, seed: campaign }), { maxLength: 8 }),
  broadcasts: fc.array(fc.record({ account, seed: broadcast }), { maxLength: 4 }),
});

const RUNS = runs(5);
const TIMEOUT_MS = 120_000;

/** A scene with the files and the service of another one, and a state that knows nothing. */
const withoutState = ({ files, clock }: Scene) => aScene({ files: files.tree, clock });

it(
  'leaves a quiet plan, whatever was built by hand, with the state and without',
  { timeout: TIMEOUT_MS },
  async () => {
    await fc.assert(
      fc.asyncProperty(handBuilt, async ({ sureCampaigns, sureBroadcasts, campaigns, broadcasts }) => {
        const scene = anEmptyScene();
        const sureIds: string[] = [];
        const live = await scene.service((control) => {
          for (const { account: on, seed } of campaigns) control.seedCampaign(on, seed);
          for (const { account: on, seed } of broadcasts) control.seedBroadcast(on, seed);
          sureCampaigns.forEach(({ on, seed }, index) => {
            const named = { ...seed, name: `${seed.name} (${index})` };
            for (const one of on) sureIds.push(control.seedCampaign(one, named).id);
          });
          sureBroadcasts.forEach(({ on, seed }, index) => {
            const named = { ...seed, name: `${seed.name} (${index})` };
            for (const one of on) sureIds.push(control.seedBroadcast(one, named).id);
          });
          return campaigns.length + broadcasts.length + sureIds.length;
        });

        const { ran, report } = await imported(scene);
        expect(ran.code, ran.stdout + ran.stderr).toBe(0);
        expect(report.imported + report.left_out.length, 'everything is imported or listed').toBe(live);
        expect(report.left_out.filter(({ live_id: left }) => sureIds.includes(left))).toEqual([]);

        for (const after of [scene, withoutState(scene)]) {
          const { code, plan } = await planned(after, '--detailed-exitcode');
          expect(code, JSON.stringify(plan.changes.filter(({ action }) => action !== 'keep'))).toBe(0);
          expect(decisions({ plan }).filter((line) => !line.startsWith('unmanaged '))).toEqual([]);
          expect(plan.summary.keep).toBe(report.imported);
        }
        expect(await writesSent(scene)).toEqual([]);
      }),
      RUNS,
    );
  },
);

const edited = fc.record({
  campaigns: fc.array(fc.record({ account, was: sureCampaign, is: sureCampaign }), { maxLength: 5 }),
  broadcasts: fc.array(fc.record({ account, was: sureBroadcast, is: sureBroadcast }), { maxLength: 3 }),
});

it(
  'refreshes every file after any change by hand, and the plan is quiet again',
  { timeout: TIMEOUT_MS },
  async () => {
    await fc.assert(
      fc.asyncProperty(edited, async ({ campaigns, broadcasts }) => {
        const scene = anEmptyScene();
        const ids = await scene.service((control) => ({
          campaigns: campaigns.map(
            ({ account: on, was }, index) => control.seedCampaign(on, { ...was, name: `C ${index}` }).id,
          ),
          broadcasts: broadcasts.map(
            ({ account: on, was }, index) => control.seedBroadcast(on, { ...was, name: `B ${index}` }).id,
          ),
        }));
        await imported(scene);
        await scene.service((control) => {
          campaigns.forEach(({ account: on, is: { name: _name, ...set } }, index) =>
            control.editCampaign(on, ids.campaigns[index] ?? '', set),
          );
          broadcasts.forEach(({ account: on, is: { name: _name, ...set } }, index) =>
            control.editBroadcast(on, ids.broadcasts[index] ?? '', set),
          );
        });
        const { ran, report } = await imported(scene, '--update');
        expect(ran.code, ran.stdout + ran.stderr).toBe(0);
        expect(report).toMatchObject({ imported: 0, left_out: [] });
        for (const after of [scene, withoutState(scene)]) {
          const { code, plan } = await planned(after, '--detailed-exitcode');
          expect(code, JSON.stringify(plan.changes.filter(({ action }) => action !== 'keep'))).toBe(0);
          expect(plan.summary.keep).toBe(campaigns.length + broadcasts.length);
        }
      }),
      RUNS,
    );
  },
);
