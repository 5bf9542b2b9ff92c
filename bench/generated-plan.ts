import type { Change, Plan, PlannedContent } from '../src/domain/change.ts';
import { aChange, aPlan } from '../test/helpers/plan-builders.ts';

const ACCOUNTS = 60;
const DAY_MS = 86_400_000;
const PLANNED_MS = Date.UTC(2026, 2, 20, 9);

const TEXT =
  'Hey, it is {{first_name}}. I have prepared something for all of you who have been here since the spring, and on Friday there is a surprise waiting. Write me back if you want to see it first.';

/** A workspace of sixty accounts with this many changes, of all usual kinds. */
export function generatedPlan(size: number): Plan {
  const accounts = Array.from({ length: ACCOUNTS }, (_, index) => `account${String(index).padStart(2, '0')}`);
  const names = Math.ceil(size / ACCOUNTS);
  const contents = Array.from({ length: names }, (_, index) => contentOf(index));
  const changes = Array.from({ length: size }, (_, index) => {
    const name = Math.floor(index / ACCOUNTS);
    return changeOf(name, accounts[index % ACCOUNTS] ?? '', index);
  });
  return {
    ...aPlan(changes, { eta_sec: size / 2 }),
    workspace: 'generated',
    planned_at: new Date(PLANNED_MS).toISOString(),
    who: 'bench',
    allowed: [],
    accounts,
    deadlines: [],
    contents,
    variables: Object.fromEntries(accounts.map((account) => [account, { first_name: firstName(account) }])),
    policy: { quiet_hours: { from: '23:00', to: '07:00', timezone: 'Europe/Berlin' } },
  };
}

function firstName(account: string): string {
  return `Name${account.slice(-2)}`;
}

function contentOf(index: number): PlannedContent {
  const shared = {
    name: `Resource ${index}`,
    file: `campaigns/${index}.yaml`,
    line: 3,
    audience_filters: [],
    messages: [{ text: `${TEXT} (${index})` }, { text: 'And one more.', delay_sec: 3600, price_gross: 9.99 }],
  };
  return index % 3 === 0
    ? {
        ...shared,
        kind: 'broadcast',
        status: 'scheduled',
        timezone: 'Europe/Berlin',
        scheduled_at: new Date(PLANNED_MS + (1 + (index % 12)) * DAY_MS).toISOString(),
      }
    : {
        ...shared,
        kind: 'campaign',
        status: 'active',
        timezone: null,
        trigger: 'welcome_message',
        action: 'send_message',
      };
}

function changeOf(name: number, account: string, index: number): Change {
  const text = TEXT.replace('{{first_name}}', firstName(account));
  const shared = {
    account,
    kind: name % 3 === 0 ? ('broadcast' as const) : ('campaign' as const),
    name: `Resource ${name}`,
    content: name,
  };
  if (name % 4 === 3) return aChange({ ...shared, action: 'keep', live_id: String(index) });
  if (name % 2 === 1)
    return aChange({
      ...shared,
      action: 'create',
      reasons: ['Goes live immediately.'],
      fields: [{ path: 'messages[0].text', old: null, new: `${text} (${name})` }],
      steps: [{ kind: 'create', live_id: null }],
    });
  return aChange({
    ...shared,
    action: 'replace',
    live_id: String(index),
    reasons: ['Its content differs from the files, and the service has no update call.'],
    fields: [{ path: 'messages[0].text', old: text.replace('Friday', 'Sunday'), new: `${text} (${name})` }],
    steps: [
      { kind: 'pause', live_id: String(index) },
      { kind: 'create', live_id: null },
    ],
    undo: 'The old version stays paused and can be activated again; the service archives it after 7 days.',
  });
}
