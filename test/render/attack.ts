import type { Fetch } from '../../src/domain/ports.ts';
import { createSimulator, type Simulator } from '../../src/simulator/simulator.ts';
import { createWorld } from '../../src/simulator/world.ts';
import { flowClock } from '../helpers/flow-clock.ts';
import { fc } from '../helpers/properties.ts';
import { aScene, NOON, WORKSPACE, WORLD_FILE, type Ran } from '../helpers/scene.ts';
import { forgery } from './forgery.ts';

const LISTS = [
  ['accounts', 'list'],
  ['traffic', 'subscriptions', '--from', '60d'],
  ['traffic', 'tracking-links', '--from', '60d'],
  ['revenue', 'chargebacks', '--from', '60d'],
  ['team', 'members'],
  ['fans', 'list', '--account', 'alice'],
  ['chat', 'messages', '101001', '--account', 'alice'],
  ['payouts', 'list', '--account', 'alice'],
  ['campaigns', 'list'],
  ['vault', 'folders', '--account', 'alice'],
  ['vault', 'media', '77', '--account', 'alice'],
  ['vault', 'uploads', '--account', 'alice'],
];
/** Command lines; FORGED stands for the text. The format stands last. */
export const COMMANDS: readonly (readonly string[])[] = [
  ...LISTS.flatMap((list) =>
    ['table', 'json', 'ndjson', 'csv'].map((format) => [...list, '--format', format]),
  ),
  ...['text', 'json', 'markdown'].flatMap((format) => [
    ['plan', '--format', format],
    ['drift', '--format', format],
  ]),
  ...['text', 'json'].flatMap((format) => [
    ['validate', '--format', format],
    ['apply', '--yes', '--format', format],
    ['policy', 'test', '--format', format],
    ['import', '--format', format],
    ['doctor', '--format', format],
    ['accounts', 'get', 'alice', '--format', format],
    ['campaigns', 'get', '5001', '--account', 'alice', '--format', format],
    ['chat', 'send', '101001', '--account', 'alice', '--text', 'FORGED', '--yes', '--format', format],
    ['fans', 'label', '101001', '--account', 'alice', '--name', 'FORGED', '--yes', '--format', format],
    ['accounts', 'get', 'FORGED', '--format', format],
    ['FORGED', '--format', format],
    ['plan', '--target', 'FORGED', '--format', format],
    ['plan', '--FORGED', '--format', format],
  ]),
  ['history', '--format', 'table'],
  ['history', '--format', 'csv'],
  ['history', 'FORGED', '--format', 'ndjson'],
  ['history', 'diff', 'FORGED', '--format', 'text'],
];

export interface Attack {
  readonly text: string;
  /** Of the answers' texts, from 0 to 1. */
  readonly share: number;
  /** Ids, times and closed sets as well, so that little of it is believed. */
  readonly everywhere: boolean;
  readonly refuses: boolean;
  /** The files hold, so that they are planned and not only refused. */
  readonly loads: boolean;
}

export const attack: fc.Arbitrary<Attack> = fc.record({
  text: forgery,
  share: fc.constantFrom(0.2, 1),
  everywhere: fc.boolean(),
  refuses: fc.nat(7).map((number) => number === 0),
  loads: fc.boolean(),
});

/** Ids, times, addresses, flags of paging and words of closed sets. */
const TECHNICAL = /^(?:\d*|\d{4}-\d\d-\d\d.*|[a-z0-9_.]+|https?:.*)$/;

function poisoned(value: unknown, attacked: Attack, chance: () => number): unknown {
  const { text, share, everywhere } = attacked;
  if (typeof value === 'string')
    return (everywhere || !TECHNICAL.test(value)) && chance() < share ? text : value;
  if (Array.isArray(value)) return value.map((one: unknown) => poisoned(one, attacked, chance));
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([name, one]) => [name, poisoned(one, attacked, chance)]);
  return Object.fromEntries([...members, ...(chance() < share / 4 ? [[text, text]] : [])]) as unknown;
}

function attackedBy(simulator: Simulator, attacked: Attack): Fetch {
  let state = 1;
  const chance = () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
  const { text } = attacked;
  return async (request) => {
    if (attacked.refuses) {
      const error = {
        code: 'API_KEY_PERMISSION_DENIED',
        message: text,
        details: { required_permission: text, [text]: text },
      };
      return Response.json(error, { status: 403, headers: { date: new Date(NOON).toUTCString() } });
    }
    const answer = await simulator.fetch(request);
    const body: unknown = await answer.json();
    return new Response(JSON.stringify(poisoned(body, attacked, chance)), {
      status: answer.status,
      headers: answer.headers,
    });
  };
}

const SERVICE = 'base_url: http://localhost:1, auth_header: x-svc-auth-token';

/** No name of a resource may hold these. */
const REFUSED_IN_NAMES = /[\p{C}\p{Z}\p{M}]+/gu;

function filesOf({ text, loads }: Attack): Readonly<Record<string, string>> {
  const workspace = WORKSPACE.replace(`simulator: ${WORLD_FILE}`, SERVICE);
  const name = loads ? `n ${text.replaceAll(REFUSED_IN_NAMES, '')}` : text;
  const fixed = { trigger: 'welcome_message', action: 'send_message', audience: 'everyone' };
  const resource = { name, ...fixed, messages: [{ text: loads ? `n ${text}` : text }] };
  const campaigns = loads ? [resource] : [resource, { name: 'Plain', trigger: text, [text]: text }];
  const policy = loads ? '' : `policy: { banned_words: [${JSON.stringify(text)}] }\n`;
  return {
    'herald.yaml': workspace + policy,
    [`live/${text.replaceAll(/[/\u0000]/g, '-')}.yaml`]: JSON.stringify({ accounts: ['alice'], campaigns }),
  };
}

/** A workspace that someone else wrote, at a service that someone else runs. */
export async function attackedRun(
  args: readonly string[],
  attacked: Attack,
  columns: number | null,
): Promise<Ran> {
  const { text } = attacked;
  const clock = flowClock(NOON);
  const simulator = createSimulator(createWorld(), { clock });
  const { control } = simulator;
  control.seedCampaign('101', { name: text, messages: [{ text }] });
  control.setData({ subscriptions: 3, tracking_links: 2, chargebacks: 2 });
  control.seed({ account_id: '101', kind: 'chat', set: { chat_id: '101001', messages: 3 } });
  control.seed({ account_id: '101', kind: 'payout_request', set: {} });
  control.seed({ account_id: '101', kind: 'vault_folder', set: { id: '77', photos: 2 } });
  control.seed({ account_id: '101', kind: 'vault_upload', set: { name: 'a.jpg', status: 'processing' } });
  const scene = aScene({ clock, network: attackedBy(simulator, attacked), files: filesOf(attacked) });
  Object.assign(scene.env, { HERALD_API_KEY: 'sim-key' });
  scene.columns = columns;
  return scene.herald(...args.map((word) => word.replace('FORGED', () => text)), '--verbose');
}
