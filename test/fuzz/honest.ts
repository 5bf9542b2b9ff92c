import type { Dice } from '../chaos/dice.ts';

/** An honest workspace, from which odd ones are made. */
export interface Honest {
  readonly workspace: string;
  readonly resources: string;
  readonly offer: string;
}

const ALICE = "  alice: { id: '101', vars: { first_name: Alice, first_set: '55012' } }\n";
const OTHERS = `  bob: { id: '102', vars: { first_name: Bob, first_set: '55112' } }
  carol: { username: carol_x, vars: { first_name: Carol, first_set: '55212' } }
`;
/** What a workspace may say besides. */
const SETTINGS: readonly string[] = [
  'groups: { house: [alice, bob], all: [alice, bob, carol] }\n',
  "files: ['campaigns/**/*.yaml']\n",
  'ignore: [rules.unsend_delay_sec]\n',
  "ownership: { name_prefix: 'gc/' }\n",
];
const POLICIES: readonly string[] = [
  '  max_changes: 20\n',
  '  max_price_gross: 49.99\n',
  '  min_price_gross: { limit: 3, level: warn }\n',
  "  banned_words: [wire transfer, '/\\b(?:telegram|t\\.me)\\b/i']\n",
  "  quiet_hours: { from: '23:00', to: '07:00', timezone: Europe/Lisbon, hours_after: 2 }\n",
  '  max_broadcasts_per_day: 2\n',
  '  required: { fields: [end_at], level: warn }\n',
];
const WELCOME = `  - name: gc/Welcome
    trigger: welcome_message
    action: send_message
    audience: everyone
    messages:
      - text: 'Hey {{first_name}}!'
`;
const OFFER_MESSAGE = `      - text_file: offer.md
        delay_sec: 3600
        price_gross: 9.9
        attachments: [{ id: '{{first_set}}', type: image, is_paid: true }]
    protect: true
    rules: { unsend_delay_sec: 86400 }
`;
const OLD =
  '  - { name: Old, status: archived, trigger: welcome_message, action: start_mimic, audience: everyone }\n';
const TEASER = `  - name: Teaser
    accounts: [alice]
    scheduled_at: '2026-06-02T15:00'
    scheduled_at_timezone: Europe/Berlin
    audience_filters:
      - { kind: subscribed_date, mode: include, options: { from_days: 30, to_days: 0 } }
      - { kind: list, mode: exclude, options: { lists: [{ name: Old fans }] } }
    messages: [{ text: 'Tomorrow' }]
`;
const OFFER = 'Only for you,\n{{first_name}}.\n';

/** Everything that a workspace can say, all at once. */
export const WHOLE: Honest = {
  workspace: workspaceOf(true, SETTINGS, POLICIES),
  resources: `accounts: [house]\ncampaigns:\n${WELCOME}${OFFER_MESSAGE}${OLD}broadcasts:\n${TEASER}`,
  offer: OFFER,
};

/** One account with one short campaign: for what is odd about something else than the files. */
export const SHORT: Honest = {
  workspace: workspaceOf(false, [], []),
  resources: `accounts: [alice]\ncampaigns:\n${WELCOME}`,
  offer: OFFER,
};

/** A few of the things that a workspace can say: an odd one among them does not cost the time of all others. */
function aPart(dice: Dice): Honest {
  const settings = someOf(SETTINGS, dice);
  const resources = dice.pick([
    `campaigns:\n${WELCOME}`,
    `campaigns:\n${WELCOME}${OFFER_MESSAGE}`,
    `campaigns:\n${OLD}`,
    `broadcasts:\n${TEASER}`,
  ]);
  return {
    workspace: workspaceOf(settings.some(isOfGroups), settings, someOf(POLICIES, dice)),
    resources: `accounts: [${settings.some(isOfGroups) ? 'house' : 'alice'}]\n${resources}`,
    offer: OFFER,
  };
}

/** A part of a workspace for the most, sometimes the whole. */
export function someHonest(dice: Dice): Honest {
  return dice.oneIn(12) ? WHOLE : aPart(dice);
}

/** The files of a workspace, by path. */
export function filesOf({ workspace, resources, offer }: Honest): Readonly<Record<string, string>> {
  return { 'herald.yaml': workspace, 'campaigns/all.yaml': resources, 'campaigns/offer.md': offer };
}

/** The workspace with a service of its own, in a file. */
export function embedded({ workspace }: Honest, world: string): string {
  return workspace.replace('settle_sec: 75', `settle_sec: 75, simulator: ${world}`);
}

function workspaceOf(isOfAll: boolean, settings: readonly string[], policies: readonly string[]): string {
  const accounts = `accounts:\n${ALICE}${isOfAll ? OTHERS : ''}`;
  const policy = policies.length === 0 ? '' : `policy:\n${policies.join('')}`;
  return `version: 1\nservice: { settle_sec: 75, known_kinds: [vip] }\n${accounts}${settings.join('')}${policy}`;
}

function isOfGroups(setting: string): boolean {
  return setting.startsWith('groups');
}

function someOf(pieces: readonly string[], dice: Dice): readonly string[] {
  const chosen = new Set(dice.some(0, 2, () => dice.pick(pieces)));
  return pieces.filter((piece) => chosen.has(piece));
}
