import { parse } from 'yaml';
import { computeSeal } from '../../src/plan/saved.ts';
import type { Dice } from '../chaos/dice.ts';
import { embedded, filesOf, SHORT, someHonest, WHOLE, type Honest } from './honest.ts';
import { mutated, mutateText, oddValue, oddWord, orUndefined } from './mutate.ts';
import { aStage, type Input } from './play.ts';

/** What is drawn at random; everything else of an input is as an honest workspace has it. */
export type Kind = (dice: Dice) => Promise<Input>;

const STATE = '.herald/state.db';
const EXPORT = 'state.ndjson';
const WORLD = '.herald/world.json';

const VALIDATE = ['validate'];
const PLAN = ['plan'];
const APPLY = ['apply', '--yes', '--allow', 'adopt'];

/** Often one command is enough: the others read the same files again. */
function someOf(commands: readonly (readonly string[])[], dice: Dice): readonly (readonly string[])[] {
  return dice.oneIn(6) ? commands : [dice.pick(commands)];
}

const workspaces: Kind = async (dice) => {
  const honest = someHonest(dice);
  const look = dice.pick([PLAN, APPLY, ['policy', 'test'], ['doctor'], ['plan', '--format=json']]);
  return {
    files: { ...filesOf(honest), 'herald.yaml': mutated(honest.workspace, parse, dice) },
    commands: someOf([VALIDATE, look], dice),
    pinned: dice.oneIn(2),
  };
};

const resources: Kind = async (dice) => {
  const honest = someHonest(dice);
  const file = mutated(honest.resources, parse, dice);
  const offer = dice.oneIn(4) ? mutateText(honest.offer, dice) : honest.offer;
  const look = dice.pick([VALIDATE, ['plan', '--format=json'], ['plan', '--format', 'markdown'], PLAN]);
  return {
    files: { ...filesOf(honest), 'campaigns/all.yaml': file, 'campaigns/offer.md': offer },
    commands: someOf([look, APPLY], dice),
    pinned: true,
  };
};

const LINKED = [
  'herald.yaml',
  'campaigns',
  'campaigns/all.yaml',
  'campaigns/more',
  'campaigns/offer.md',
  '.herald',
  STATE,
  WORLD,
  '.herald/run-lock.db',
  `${WORLD}.lock`,
  '.herald/events.db',
  'campaigns/.hidden',
  'campaigns/a.yaml',
];
const AIMS =
  `outside outside/private.txt outside/new workspace workspace/campaigns workspace/campaigns/all.yaml
  workspace/.git/config workspace/gone / /dev/zero /dev/null /proc/self/environ /proc/self/fd/0`.split(/\s+/);
const links: Kind = async (dice) => {
  const workspace = dice.oneIn(2) ? SHORT.workspace : embedded(SHORT, WORLD);
  return {
    files: { ...filesOf(SHORT), 'herald.yaml': workspace, '.git/config': '[core]\n' },
    links: Object.fromEntries(dice.some(1, 3, () => [dice.pick(LINKED), dice.pick(AIMS)])),
    commands: someOf([VALIDATE, PLAN, APPLY, ['state', 'prune', '--before', '2026-01-01', '--yes']], dice),
    pinned: dice.oneIn(2),
  };
};

/** Answers as the service gives them; each may come in place of any other. */
const ANSWERS: readonly unknown[] = [
  { items: [], has_more: false },
  { items: [{ id: '101', name: 'x', platform: 'platform_a', username: 'alice_x' }], has_more: true },
  { id: '9999999999999970', account_id: '101', status: 'active', created_by: { type: 'api_token', id: '1' } },
  { code: 'API_KEY_PERMISSION_DENIED', message: 'no', details: { required_permission: 'x' } },
  { code: 'RATE_LIMITED', message: 'later' },
];
const LISTS: readonly string[] = [
  'accounts list',
  'campaigns list',
  'revenue transactions --from 60d',
  'chat messages 101001 --account alice',
  'payouts list --account alice',
  'vault uploads --account alice',
];
const answers: Kind = async (dice) => {
  const another = () => ({
    status: dice.pick([200, 200, 200, 201, 204, 301, 400, 401, 403, 404, 409, 422, 429, 500, 503]),
    body: mutated(JSON.stringify(dice.pick(ANSWERS)), JSON.parse, dice),
  });
  const answer = () => (dice.oneIn(3) ? another() : { mutatedBy: dice.int(0, 1_000_000_000) });
  const format = `--format=${dice.pick(['table', 'json', 'ndjson', 'csv'])}`;
  const list = [...dice.pick(LISTS).split(' '), format];
  const look = dice.pick([PLAN, ['plan', '--format=json'], list, list, ['doctor'], ['import'], ['drift']]);
  return {
    files: filesOf(shortOrWhole(dice)),
    commands: someOf([look, APPLY], dice),
    pinned: true,
    answers: Object.fromEntries(dice.some(1, 4, () => [dice.int(1, 12), answer()])),
  };
};

/** What an honest run leaves behind. */
interface Left {
  /** The state as `state export` writes it. */
  readonly state: string;
  readonly world: string;
  readonly plan: string;
}

/** Each is made once. */
const left = new Map<Honest, Promise<Left>>();
function leftBehind(honest: Honest): Promise<Left> {
  const known = left.get(honest) ?? leave(honest);
  left.set(honest, known);
  return known;
}

async function leave(honest: Honest): Promise<Left> {
  const stage = aStage({
    files: { ...filesOf(honest), 'herald.yaml': embedded(honest, WORLD) },
    pinned: false,
  });
  await stage.run(['plan', '--out', 'plan.json']);
  const ran = await stage.run(APPLY);
  if (ran.code !== 0) throw new Error(`the honest workspace cannot be applied: ${ran.stderr}`);
  await stage.run(['state', 'export', EXPORT]);
  const found = { state: stage.read(EXPORT), world: stage.read(WORLD), plan: stage.read('plan.json') };
  stage.close();
  return found;
}

function shortOrWhole(dice: Dice): Honest {
  return dice.oneIn(12) ? WHOLE : SHORT;
}

/** An export that is imported, or a state file that is none. */
const states: Kind = async (dice) => {
  const honest = shortOrWhole(dice);
  const { state } = await leftBehind(honest);
  const intact = state.trimEnd().split('\n');
  const lines = [...intact];
  for (let times = dice.int(1, 3); times > 0; times -= 1) {
    const line = dice.pick(intact);
    lines.splice(dice.int(0, lines.length), dice.int(0, 1), mutated(line, JSON.parse, dice));
  }
  const text = `${lines.join('\n')}\n`;
  const look = dice.pick([['state', 'check'], ['history'], ['history', '--format=json'], PLAN]);
  return {
    files: { ...filesOf(honest), [dice.oneIn(8) ? STATE : EXPORT]: text },
    commands: [['state', 'import', EXPORT], ...someOf([look, APPLY], dice)],
    pinned: true,
  };
};

const plans: Kind = async (dice) => {
  const honest = shortOrWhole(dice);
  const { plan } = await leftBehind(honest);
  const text = mutated(plan, JSON.parse, dice);
  const files = { ...filesOf(honest), 'herald.yaml': embedded(honest, WORLD) };
  return {
    files: { ...files, 'plan.json': dice.oneIn(4) ? text : sealed(text) },
    commands: [['apply', 'plan.json', '--yes', dice.pick(['--format=json', '--format=text'])]],
    pinned: false,
  };
};

/** With the digest that the changed content has, as someone writes it who knows how. */
function sealed(text: string): string {
  const document = orUndefined(() => JSON.parse(text));
  if (typeof document !== 'object' || document === null) return text;
  return JSON.stringify({ ...document, digest: computeSeal(document) });
}

const worlds: Kind = async (dice) => {
  const honest = shortOrWhole(dice);
  const { world } = await leftBehind(honest);
  const files = { ...filesOf(honest), 'herald.yaml': embedded(honest, WORLD) };
  const look = dice.pick([PLAN, ['campaigns', 'list'], ['accounts', 'list', '--format=json'], ['import']]);
  return {
    files: { ...files, [WORLD]: mutated(world, JSON.parse, dice) },
    commands: someOf([look, APPLY], dice),
    pinned: false,
  };
};

const WORDS: readonly string[] = (
  'validate plan apply drift import policy test accounts list get traffic subscriptions tracking-links revenue ' +
  'transactions team members fans label follow chat messages send payouts balances list request vault folders ' +
  'uploads campaigns activate pause archive unsend broadcasts resume history diff state check show close forget doctor ' +
  'schema api trust completion bash help --yes --format=json --format=text --format=csv --format=ndjson ' +
  '--account=alice --account=all --target=alice --target=*/*/* --exclude=bob --allow=resume --allow=adopt ' +
  '--from=7d --limit=2 --columns=id --verbose --quiet --help --param account_id=101 --list --dry-run ' +
  '--since=30d --keep=1d --expect=sha256:3f1c5a0e9b27 --amount=20 --text=hi --price=5 --name=Tom alice ' +
  'alice/campaign/Old 101001 campaigns.list accounts.list --detailed-exitcode --id=1 --update'
).split(' ');
const commandLines: Kind = async (dice) => {
  // A path that is typed may lead anywhere: that is not an attack.
  const odd = () => oddWord(dice).replaceAll(/\.\.|[/\u0000]/g, '_');
  const word = () =>
    dice.weighted<string>([
      [12, dice.pick(WORDS)],
      [1, odd()],
      [1, `${dice.pick(WORDS)}${odd()}`],
    ]);
  return {
    files: { ...filesOf(shortOrWhole(dice)), 'plan.json': JSON.stringify(oddValue(dice)) },
    commands: [[dice.pick(WORDS), ...dice.some(0, 6, word)]],
    pinned: true,
  };
};

export const KINDS = {
  workspaces,
  resources,
  links,
  answers,
  states,
  plans,
  worlds,
  'command-lines': commandLines,
} satisfies Readonly<Record<string, Kind>>;
export type KindName = keyof typeof KINDS;
export const KIND_NAMES = Object.keys(KINDS) as KindName[];
