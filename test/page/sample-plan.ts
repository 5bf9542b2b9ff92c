import type { Change, Plan, PlannedContent } from '../../src/domain/change.ts';
import { aChange, aPlan } from '../helpers/plan-builders.ts';

/** A day before the clocks of Berlin go forward, on Sun 29 Mar 2026. */
const PLANNED_AT = '2026-03-27T13:32:00Z';

const ACCOUNTS = 'alba bruno cleo dara elif finn gia hugo ines jonas kira yara'.split(' ');
const THREE = ['alba', 'cleo', 'kira'];
const FOUR = ['bruno', 'finn', 'ines', 'jonas'];
const FIVE = ['alba', 'cleo', 'gia', 'hugo', 'kira'];

const ARABIC = 'أهلاً! سعيدة لأنك هنا.\nأقرأ كل رسالة بنفسي 🎧';

const CONTENTS: readonly PlannedContent[] = [
  aCampaignContent('Welcome series', {
    rules: {
      send_delay_interval: { min_sec: 30, range_sec: 60 },
      unsend_delay_sec: 604_800,
      unsend_if_not_read_enabled: true,
    },
    messages: [
      {
        text: 'Hey, it is {{first_name}}, and I am happy that you found {{place}}.\n\nThank you for being here. I read every message myself, even if an answer takes until the evening.',
      },
      {
        text: 'This is the view from {{place}} tonight 🌅',
        delay_sec: 3600,
        attachments: [{ type: 'image', file: 'media/evening.png', size: 412_000 }],
      },
      {
        text: 'My first full session of the season. Yours if you like.',
        price_gross: 9.99,
        delay_sec: 86_400,
        attachments: [{ type: 'video', id: '55013', is_paid: true }],
      },
    ],
  }),
  aCampaignContent('Practice week', {
    timezone: 'Europe/Berlin',
    rules: { send_delay_interval: { min_sec: 120, range_sec: 300 }, end_at: '2026-06-30T22:00:00Z' },
    audience_filters: [
      { kind: 'subscribed_date', mode: 'include', options: { from_days: 30, to_days: 0 } },
      { kind: 'subscribed_date', mode: 'exclude', options: { lists: [{ name: 'Regulars' }] } },
    ],
    messages: [
      { text: 'Three days, ten minutes each. Shall we start tomorrow? {{first_name}}' },
      {
        text: 'Day one: scales, slowly.\nDay two: eyes closed 🙂\nDay three: <i>your</i> song.',
        delay_sec: 86_400,
      },
      {
        text: 'The whole week in one video, filmed at {{place}}. Guaranteed results, or write me.',
        delay_sec: 172_800,
        price_gross: 14.5,
        attachments: [
          { type: 'image', id: '55012', is_paid: false },
          { type: 'video', id: '55014', is_paid: true },
        ],
      },
    ],
  }),
  aBroadcastContent('Setlist vote', '2026-03-31T10:00:00Z', 'Which song opens the next session?'),
  aBroadcastContent('Spring challenge', '2026-03-29T17:00:00Z', 'The spring challenge starts today.'),
  aBroadcastContent('Sunday stretch', '2026-03-29T16:30:00Z', 'Twenty minutes for your back.'),
  aBroadcastContent('Late session', '2026-03-28T22:30:00Z', 'Still awake? I am going live from {{place}}.'),
  aBroadcastContent('Presale note', '2026-03-27T08:30:00Z', 'Tickets for the loft session are out now <3'),
  aCampaignContent('Welcome series', { messages: [{ text: ARABIC }] }),
];

function aCampaignContent(name: string, more: Partial<PlannedContent>): PlannedContent {
  return {
    kind: 'campaign',
    name,
    file: 'campaigns/all.yaml',
    line: 6,
    status: 'active',
    timezone: null,
    trigger: 'welcome_message',
    action: 'send_message',
    audience_filters: [],
    messages: [],
    ...more,
  };
}

function aBroadcastContent(name: string, at: string, text: string): PlannedContent {
  return {
    kind: 'broadcast',
    name,
    file: 'broadcasts/spring.yaml',
    line: 4,
    status: 'scheduled',
    timezone: 'Europe/Berlin',
    scheduled_at: at,
    audience_filters: [],
    messages: [{ text }],
  };
}

const OLD_WELCOME =
  'Hey, it is {{1}}!\n\nThank you for joining. I read every message myself, even if an answer sometimes takes a day.';

function on(accounts: readonly string[], change: Parameters<typeof aChange>[0]): readonly Change[] {
  return accounts.map((account, index) => ({
    ...aChange({ ...change, account }),
    ...(change?.action === 'create' ? {} : { live_id: String(5100 + index) }),
  }));
}

/** A plan of twelve accounts with everything that a page shows. */
export const SAMPLE_PLAN: Plan = {
  ...aPlan(
    [
      ...ACCOUNTS.map((account) =>
        aChange({
          account,
          name: 'Welcome series',
          action: 'replace',
          content: account === 'yara' ? 7 : 0,
          reasons: ['Its content differs from the files, and the service has no update call.'],
          fields: [
            {
              path: 'messages[0].text',
              old: OLD_WELCOME.replace('{{1}}', firstName(account)),
              new:
                account === 'yara'
                  ? ARABIC
                  : `Hey, it is ${firstName(account)}, and I am happy that you found ${placeOf(account)}.\n\nThank you for being here. I read every message myself, even if an answer takes until the evening.`,
            },
            ...(account === 'hugo' ? [{ path: 'messages[2].price_gross', old: 9.99, new: 11.99 }] : []),
          ],
          steps: [
            { kind: 'upload', live_id: null, file: 'media/evening.png', size: 412_000, about_sec: 2 },
            { kind: 'pause', live_id: '4711' },
            { kind: 'create', live_id: null },
            { kind: 'read_back', live_id: null },
          ],
          undo: 'The old version stays paused and can be activated again; the service archives it after 7 days.',
        }),
      ),
      ...on(ACCOUNTS.slice(0, 9), {
        name: 'Practice week',
        action: 'create',
        content: 1,
        reasons: ['Goes live immediately.'],
        fields: [{ path: 'trigger', old: null, new: 'welcome_message' }],
        steps: [{ kind: 'create', live_id: null }],
        undo: 'Pausing stops it; what it delivered can be recalled for 24 hours.',
      }),
      ...on(FIVE, {
        kind: 'broadcast',
        name: 'Setlist vote',
        action: 'create',
        content: 2,
        reasons: ['Goes out at 2026-03-31T10:00:00Z.'],
        fields: [{ path: 'scheduled_at', old: null, new: '2026-03-31T10:00:00Z' }],
        undo: 'Pausing stops it without loss until it goes out at 2026-03-31T10:00:00Z.',
      }),
      ...on(FOUR, {
        kind: 'broadcast',
        name: 'Spring challenge',
        action: 'replace',
        content: 3,
        scheduled_at: '2026-03-28T18:00:00Z',
        reasons: ['Its time differs.'],
        fields: [{ path: 'scheduled_at', old: '2026-03-28T18:00:00Z', new: '2026-03-29T17:00:00Z' }],
        steps: [
          { kind: 'pause', live_id: '60' },
          { kind: 'create', live_id: null },
        ],
        undo: 'The old version stays paused; pausing stops the new one without loss until it goes out at 2026-03-29T17:00:00Z.',
      }),
      ...on(FOUR, { kind: 'broadcast', name: 'Sunday stretch', action: 'keep', content: 4 }),
      ...on(THREE, {
        kind: 'broadcast',
        name: 'Late session',
        action: 'create',
        content: 5,
        reasons: ['Goes out at 2026-03-28T22:30:00Z.'],
        undo: 'Pausing stops it without loss until it goes out at 2026-03-28T22:30:00Z.',
      }),
      aChange({
        account: 'dara',
        kind: 'broadcast',
        name: 'Presale note',
        action: 'recall',
        content: 6,
        live_id: '60902',
        reasons: ['The file says recalled. What it delivered is taken back as far as the platform allows.'],
        steps: [
          { kind: 'pause', live_id: '60902' },
          { kind: 'recall', live_id: '60902' },
        ],
        needs: ['recall'],
        undo: 'It stops permanently. What it delivered is recalled as far as the platform allows.',
      }),
      aChange({
        account: 'cleo',
        name: 'Welcome back',
        action: 'retire',
        live_id: '5123',
        reasons: ['5123 is a second live copy of 5119.'],
        steps: [{ kind: 'archive', live_id: '5123' }],
        reversible: false,
        undo: 'Its queue is lost.',
      }),
      aChange({
        account: 'hugo',
        name: 'Studio diary',
        action: 'blocked',
        live_id: '4711',
        reasons: ['A person paused it on the service, and the file says active.'],
        needs: ['resume'],
        steps: [{ kind: 'activate', live_id: '4711' }],
      }),
      ...on(['bruno', 'finn', 'gia', 'ines', 'jonas'], {
        name: 'Winter challenge',
        action: 'pause',
        reasons: ['The file says paused.'],
        undo: 'It can be activated again; the service archives it after 7 days.',
        steps: [{ kind: 'pause', live_id: '1' }],
      }),
      ...on(ACCOUNTS, { name: 'Weekly check-in', action: 'keep' }),
      ...on(['alba', 'bruno'], { kind: 'broadcast', name: 'February recap', action: 'done' }),
      aChange({ account: 'kira', name: 'Old rehearsal \u202Eclips', action: 'unmanaged', live_id: '3001' }),
    ],
    {
      diagnostics: ACCOUNTS.slice(0, 9).map(
        (account) =>
          ({
            severity: 'warning',
            code: 'policy-banned-word',
            message: 'messages[2] has the banned words "Guaranteed results" (policy.banned_words).',
            address: `${account}/campaign/Practice week`,
          }) as const,
      ),
      eta_sec: 21,
    },
  ),
  workspace: 'northlight',
  planned_at: PLANNED_AT,
  who: 'Mara Lind (job 214)',
  commit: { id: '8f3c2a19d0', subject: 'Warmer welcome, spring dates', author: 'Mara Lind' },
  allowed: [
    { name: 'large', from: 'herald.yaml' },
    { name: 'recall', from: 'flag' },
  ],
  accounts: [...ACCOUNTS],
  deadlines: [
    deadline('2026-03-28T08:30:00Z', 'recall_ends', 'Presale note', ['dara']),
    deadline('2026-03-28T22:30:00Z', 'sends', 'Late session', THREE),
    deadline('2026-03-31T10:00:00Z', 'sends', 'Setlist vote', FIVE),
    deadline('2026-04-01T10:02:00Z', 'archived', 'Studio diary', ['hugo'], 'campaign'),
  ],
  contents: [...CONTENTS],
  variables: Object.fromEntries(
    ACCOUNTS.map((account) => [account, { first_name: firstName(account), place: placeOf(account) }]),
  ),
  policy: {
    quiet_hours: { from: '23:00', to: '07:00', timezone: 'Europe/Berlin' },
    banned_words: ['guaranteed results'],
  },
};

type Deadline = NonNullable<Plan['deadlines']>[number];

function deadline(
  at: string,
  what: Deadline['what'],
  name: string,
  accounts: string[],
  kind: Deadline['kind'] = 'broadcast',
): Deadline {
  return { at, what, kind, name, accounts };
}

function firstName(account: string): string {
  return account.charAt(0).toUpperCase() + account.slice(1);
}

function placeOf(account: string): string {
  return `the ${['Lisbon studio', 'garage gym', 'rehearsal hall', 'loft'][ACCOUNTS.indexOf(account) % 4] ?? ''}`;
}
