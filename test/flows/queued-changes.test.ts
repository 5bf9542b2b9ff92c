import { afterEach, describe, expect, it, vi } from 'vitest';
import { parseLedger } from '../../src/ledger/parse.ts';
import { altered } from '../helpers/altered.ts';
import { campaign, declaring } from '../helpers/declare-live.ts';
import { flowClock } from '../helpers/flow-clock.ts';
import { applied, messages, outcomes } from '../helpers/flows.ts';
import { LEDGER_FILE, NOON } from '../helpers/scene.ts';

afterEach(() => vi.unstubAllGlobals());

/** More accounts than creates that are on their way at once, which are six: the last two wait for their turn twice. */
const ALIASES = Array.from({ length: 14 }, (_, index) => `a${index}`);
const idOf = (alias: string) => String(101 + ALIASES.indexOf(alias));

/** What the files declare. */
const OURS = { name: 'Welcome', trigger: 'welcome_message', messages: [{ text: 'Hey' }] };

/** Each change takes 25 s. Just before the last two leave, another operator makes campaigns of the same name. */
function slowChanges() {
  const clock = flowClock(NOON);
  const files = declaring({ campaigns: [campaign()] }, ALIASES);
  const accounts = ALIASES.map((alias) => ({ id: idOf(alias), username: alias, custom_label: alias }));
  let changes = 0;
  const service = altered(
    async (request, answer) => {
      if (request.method === 'GET') return answer();
      changes += 1;
      const place = changes;
      const answered = await answer();
      await clock.sleep(25_000);
      if (place === 7) makeOthers(service.simulator);
      return answered;
    },
    { clock, files, world: { accounts } },
  );
  const { tree } = service.scene.files;
  const rows = ALIASES.map((alias) => `  ${alias}: { id: "${idOf(alias)}" }\n`).join('');
  tree['herald.yaml'] = String(tree['herald.yaml']).replace(/(?<=accounts:\n)(?: {2}.*\n)+/, rows);
  return service;
}

function makeOthers({ control }: ReturnType<typeof altered>['simulator']): void {
  for (const alias of ALIASES.slice(-2)) control.seedCampaign(idOf(alias), OURS);
}

describe('a create that waits for its turn behind those of other accounts', () => {
  it('is not sent if someone has made one of its name meanwhile', async () => {
    const { scene, simulator } = slowChanges();
    const run = await applied(scene, '--allow', 'large');
    const { requests } = simulator.control.oracle();
    expect(outcomes(run).toSorted(), messages(run)).toEqual([
      ...Array.from({ length: 12 }, () => 'create applied'),
      'create failed',
      'create failed',
    ]);
    expect(requests.filter(({ operation }) => operation === 'campaigns.create')).toHaveLength(12);
    expect(messages(run)).toContain('appeared with this name while the create waited');
  });
});

describe('an activation that waits for its turn behind those of other accounts', () => {
  it('is not sent if someone has made one of its name meanwhile', async () => {
    const { scene, simulator } = slowChanges();
    for (const alias of ALIASES) simulator.control.seedCampaign(idOf(alias), { ...OURS, status: 'paused' });
    const run = await applied(scene, '--allow', 'large', '--allow', 'adopt', '--allow', 'resume');
    const { requests } = simulator.control.oracle();
    expect(outcomes(run).toSorted(), messages(run)).toEqual([
      ...Array.from({ length: 12 }, () => 'activate applied'),
      'activate failed',
      'activate failed',
    ]);
    expect(requests.filter(({ operation }) => operation === 'campaigns.set-status')).toHaveLength(12);
    expect(messages(run)).toContain('appeared with this name, or was switched on, while it waited');
  });
});

describe('a create that goes by an old list by its turn', () => {
  it('goes on record with what the next list shows', async () => {
    const clock = flowClock(NOON);
    let lists = 0;
    // The list before the replace lags. It takes long to be answered, and so does the look at the old version.
    const { scene, simulator } = altered(
      async (request, answer) => {
        const isList = request.method === 'GET' && request.url.includes('auto-message-campaigns?');
        if (isList) lists += 1;
        const lags = isList && lists === 2;
        const response = await answer();
        if (lags || (request.method === 'GET' && !isList)) await clock.sleep(28_000);
        return lags ? Response.json({ items: [], has_more: false }) : response;
      },
      { clock, files: declaring({ campaigns: [campaign()] }) },
    );
    const { id } = simulator.control.seedCampaign('101', { ...OURS, messages: [{ text: 'Of before' }] });
    const run = await applied(scene, '--allow', 'adopt');
    expect(outcomes(run), messages(run)).toEqual(['replace applied']);
    expect(lists, 'for the plan, two before the create, and one after all').toBe(4);
    const { lines } = parseLedger(scene.files.tree[LEDGER_FILE] ?? '');
    const creates = lines.flatMap((line) => (line.type === 'intent' && line.call === 'create' ? [line] : []));
    expect(creates.at(-1)?.baseline).toEqual([id]);
  });
});
