import { parse } from 'yaml';
import { sealOf } from '../../src/plan/saved.ts';
import type { Dice } from '../chaos/dice.ts';
import { mutated, mutateText, oddValue, oddWord, orUndefined } from './mutate.ts';
import { aStage, type Input } from './play.ts';

/** What is drawn at random; everything else of an input is as an honest workspace has it. */
export type Kind = (dice: Dice) => Promise<Input>;

const WORKSPACE = `version: 1
service: { settle_sec: 75, known_kinds: [vip] }
accounts:
  alice: { id: '101', vars: { first_name: Alice, first_set: '55012' } }
  bob: { id: '102', vars: { first_name: Bob, first_set: '55112' } }
  carol: { username: carol_x, vars: { first_name: Carol, first_set: '55212' } }
groups: { house: [alice, bob], all: [alice, bob, carol] }
files: ['live/**/*.yaml']
ignore: [rules.unsend_delay_sec]
ownership: { name_prefix: 'gc/' }
policy:
  max_changes: 20
  max_price_gross: 49.99
  min_price_gross: { limit: 3, level: warn }
  banned_words: [wire transfer, '/\\b(?:telegram|t\\.me)\\b/i']
  quiet_hours: { from: '23:00', to: '07:00', timezone: Europe/Lisbon, hours_after: 2 }
  max_broadcasts_per_day: 2
  required: { fields: [end_at], level: warn }
`;
const RESOURCES = `accounts: [house]
campaigns:
  - name: gc/Welcome
    trigger: welcome_message
    action: send_message
    audience: everyone
    protect: true
    rules: { unsend_delay_sec: 86400 }
    messages:
      - text: 'Hey {{first_name}}!'
      - text_file: offer.md
        delay_sec: 3600
        price_gross: 9.9
        attachments: [{ id: '{{first_set}}', type: image, is_paid: true }]
  - { name: Old, status: archived, trigger: welcome_message, action: start_mimic, audience: everyone }
broadcasts:
  - name: Teaser
    accounts: [alice]
    scheduled_at: '2026-06-02T15:00'
    scheduled_at_timezone: Europe/Berlin
    audience_filters:
      - { kind: subscribed_date, mode: include, options: { from_days: 30, to_days: 0 } }
      - { kind: list, mode: exclude, options: { lists: [{ name: Old fans }] } }
    messages: [{ text: 'Tomorrow' }]
`;
const OFFER = 'Only for you,\n{{first_name}}.\n';
const FILES = { 'herald.yaml': WORKSPACE, 'live/all.yaml': RESOURCES, 'live/offer.md': OFFER };
const LEDGER = '.herald/ledger.ndjson';
const WORLD = '.herald/world.json';
const EMBEDDED = WORKSPACE.replace('settle_sec: 75', `settle_sec: 75, simulator: ${WORLD}`);

const VALIDATE = ['validate'];
const PLAN = ['plan'];
const APPLY = ['apply', '--yes', '--allow', 'adopt'];

const workspaces: Kind = async (dice) => ({
  files: { ...FILES, 'herald.yaml': mutated(WORKSPACE, parse, dice) },
  commands: [VALIDATE, dice.pick([PLAN, APPLY, ['policy', 'test'], ['doctor'], ['plan', '--format=json']])],
  pinned: dice.oneIn(2),
});

const resources: Kind = async (dice) => {
  const file = mutated(RESOURCES, parse, dice);
  const offer = dice.oneIn(4) ? mutateText(OFFER, dice) : OFFER;
  return {
    files: { ...FILES, 'live/all.yaml': file, 'live/offer.md': offer },
    commands: [
      dice.pick([VALIDATE, ['plan', '--format=json'], ['plan', '--format', 'markdown'], PLAN]),
      APPLY,
    ],
    pinned: true,
  };
};

const LINKED = [
  'herald.yaml',
  'live',
  'live/all.yaml',
  'live/more',
  'live/offer.md',
  '.herald',
  LEDGER,
  WORLD,
  '.herald/apply',
  '.herald/apply.lock',
  '.herald/apply.holder.json',
  'live/.hidden',
  'live/a.yaml',
];
const AIMS = [
  'outside',
  'outside/private.txt',
  'outside/new',
  'workspace',
  'workspace/live',
  'workspace/live/all.yaml',
  'workspace/.git/config',
  'workspace/gone',
  '/',
  '/dev/zero',
  '/dev/null',
  '/proc/self/environ',
  '/proc/self/fd/0',
];
const links: Kind = async (dice) => ({
  files: { ...FILES, 'herald.yaml': dice.pick([WORKSPACE, EMBEDDED]), '.git/config': '[core]\n' },
  links: Object.fromEntries(dice.some(1, 3, () => [dice.pick(LINKED), dice.pick(AIMS)])),
  commands: [VALIDATE, PLAN, APPLY, ['ledger', 'compact', '--yes']],
  pinned: dice.oneIn(2),
});

/** Answers as the service gives them; each may come in place of any other. */
const ANSWERS: readonly unknown[] = [
  { items: [], has_more: false },
  { items: [{ id: '101', name: 'x', platform: 'platform_a', username: 'alice_x' }], has_more: true },
  { id: '9999999999999970', account_id: '101', status: 'active', created_by: { type: 'api_token', id: '1' } },
  { code: 'API_KEY_PERMISSION_DENIED', message: 'no', details: { required_permission: 'x' } },
  { code: 'RATE_LIMITED', message: 'later' },
];
const answers: Kind = async (dice) => {
  const another = () => ({
    status: dice.pick([200, 200, 200, 201, 204, 301, 400, 401, 403, 404, 409, 422, 429, 500, 503]),
    body: mutated(JSON.stringify(dice.pick(ANSWERS)), JSON.parse, dice),
  });
  const answer = () => (dice.oneIn(3) ? another() : { mutatedBy: dice.int(0, 1_000_000_000) });
  return {
    files: FILES,
    commands: [
      dice.pick([PLAN, ['plan', '--format=json'], ['accounts', 'list'], ['doctor'], ['import']]),
      APPLY,
    ],
    pinned: true,
    answers: Object.fromEntries(dice.some(1, 4, () => [dice.int(1, 12), answer()])),
  };
};

/** What an honest run leaves behind, made once. */
let left: Promise<{ readonly ledger: string; readonly world: string; readonly plan: string }> | null = null;
function leftBehind(): NonNullable<typeof left> {
  left ??= (async () => {
    const stage = aStage({ files: { ...FILES, 'herald.yaml': EMBEDDED }, pinned: false });
    await stage.run(['plan', '--out', 'plan.json']);
    const ran = await stage.run(APPLY);
    if (ran.code !== 0) throw new Error(`the honest workspace cannot be applied: ${ran.stderr}`);
    const [ledger, world, plan] = [stage.read(LEDGER), stage.read(WORLD), stage.read('plan.json')];
    stage.close();
    return { ledger, world, plan };
  })();
  return left;
}

const ledgers: Kind = async (dice) => {
  const { ledger } = await leftBehind();
  const intact = ledger.trimEnd().split('\n');
  const lines = [...intact];
  for (let times = dice.int(1, 3); times > 0; times -= 1) {
    const line = dice.pick(intact);
    lines.splice(dice.int(0, lines.length), dice.int(0, 1), mutated(line, JSON.parse, dice));
  }
  return {
    files: { ...FILES, [LEDGER]: `${lines.join('\n')}\n` },
    commands: [dice.pick([['ledger', 'check'], ['history'], ['history', '--format=json'], PLAN]), APPLY],
    pinned: true,
  };
};

const plans: Kind = async (dice) => {
  const { plan } = await leftBehind();
  const text = mutated(plan, JSON.parse, dice);
  return {
    files: { ...FILES, 'herald.yaml': EMBEDDED, 'plan.json': dice.oneIn(4) ? text : sealed(text) },
    commands: [['apply', 'plan.json', '--yes', dice.pick(['--format=json', '--format=text'])]],
    pinned: false,
  };
};

/** With the digest that the changed content has, as someone writes it who knows how. */
function sealed(text: string): string {
  const document = orUndefined(() => JSON.parse(text));
  if (typeof document !== 'object' || document === null) return text;
  return JSON.stringify({ ...document, digest: sealOf(document) });
}

const worlds: Kind = async (dice) => {
  const { world, ledger } = await leftBehind();
  return {
    files: { ...FILES, 'herald.yaml': EMBEDDED, [WORLD]: mutated(world, JSON.parse, dice), [LEDGER]: ledger },
    commands: [
      dice.pick([PLAN, ['campaigns', 'list'], ['accounts', 'list', '--format=json'], ['import']]),
      APPLY,
    ],
    pinned: false,
  };
};

const WORDS: readonly string[] = (
  'validate plan apply drift import policy test accounts list get traffic subscriptions tracking-links revenue ' +
  'transactions team members fans label follow chat messages send payouts balances list request vault folders ' +
  'uploads campaigns activate pause archive unsend broadcasts resume history diff ledger check compact doctor ' +
  'schema api trust completion bash help --yes --format=json --format=text --format=csv --format=ndjson ' +
  '--account=alice --account=all --target=alice --target=*/*/* --exclude=bob --allow=resume --allow=adopt ' +
  '--from=7d --limit=2 --sort=-id --columns=id --verbose --quiet --help --param account_id=101 --list --dry-run ' +
  '--since=30d --keep=1d --expect=sha256:3f1c5a0e9b27 --amount=20 --text=hi --price=5 --name=Tom alice ' +
  'alice/campaign/Old 101001 campaigns.list accounts.list --detailed-exitcode --id=1 --update'
).split(' ');
const commandLines: Kind = async (dice) => {
  // A path that is typed may lead anywhere: that is no attack.
  const odd = () => oddWord(dice).replaceAll(/\.\.|[/\u0000]/g, '_');
  const word = () =>
    dice.weighted<string>([
      [12, dice.pick(WORDS)],
      [1, odd()],
      [1, `${dice.pick(WORDS)}${odd()}`],
    ]);
  return {
    files: { ...FILES, 'plan.json': JSON.stringify(oddValue(dice)) },
    commands: [[dice.pick(WORDS), ...dice.some(0, 6, word)]],
    pinned: true,
  };
};

export const KINDS = {
  workspaces,
  resources,
  links,
  answers,
  ledgers,
  plans,
  worlds,
  'command-lines': commandLines,
} satisfies Readonly<Record<string, Kind>>;
export type KindName = keyof typeof KINDS;
export const KIND_NAMES = Object.keys(KINDS) as KindName[];
