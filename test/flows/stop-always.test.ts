import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { LedgerLine } from '../../src/ledger/lines.ts';
import { parseLedger } from '../../src/ledger/parse.ts';
import { byHand, withCampaign } from '../helpers/by-hand.ts';
import { campaign, declaring } from '../helpers/declare-live.ts';
import { applied, decisions, dieBefore, messages, outcomes, planned } from '../helpers/flows.ts';
import { meanwhileService } from '../helpers/meanwhile.ts';
import { LEDGER_FILE, type Ran, type Scene } from '../helpers/scene.ts';

// What a command loads, it loads now: while a module is read the clock of a flow goes on.
beforeAll(async () => {
  await byHand(await withCampaign(), 'campaigns', 'pause', '77');
}, 60_000);
afterEach(() => vi.unstubAllGlobals());

type Service = ReturnType<typeof meanwhileService>;

const NEW = { name: 'New', messages: [{ text: 'News' }] };
const OLD = { id: '77', name: 'Welcome', messages: [{ text: 'Hey' }] };

/** `77 paused`, for every campaign or broadcast of alice. */
function live({ simulator, world }: Service, kind: 'campaigns' | 'broadcasts' = 'campaigns'): string[] {
  simulator.control.now();
  return Object.values(world.accounts['101']?.[kind] ?? {}).map(
    ({ live: { id, status } }) => `${id} ${status ?? ''}`,
  );
}

/** Runs a stop by hand while such a request of the next apply is on its way, and gives what came of both. */
async function stopDuring(service: Service, at: string, ...words: string[]) {
  const stops: Ran[] = [];
  service.expect({ at, act: async () => stops.push(await byHand(service.scene, ...words)) });
  const apply = await applied(service.scene, '--allow', 'adopt');
  const [stop] = stops;
  if (stop === undefined) throw new Error(`no request ${at}: ${apply.stderr}`);
  return { apply, stop };
}

const declareText = (scene: Scene, text: string, more: object = {}) =>
  Object.assign(scene.files.tree, declaring({ campaigns: [campaign({ messages: [{ text }], ...more })] }));

/** More turns of the event loop than any stop takes. */
const TURNS_MAX = 100_000;

/** Holds a request until a stop by hand, begun by then, has been answered: so the request lands after it. */
function heldUntilStopped({ scene }: Service) {
  const stops: Promise<Ran>[] = [];
  const isAnswered = () =>
    linesOf(scene).lines.some(
      (line) => line.type === 'outcome' && line.outcome === 'done' && line.entry === byHandEntry(scene),
    );
  const act = async () => {
    stops.push(byHand(scene, 'campaigns', 'pause', '77'));
    for (let turn = 0; !isAnswered() && turn < TURNS_MAX; turn += 1)
      await new Promise((resolve) => setImmediate(resolve));
  };
  return { stops, act };
}

function byHandEntry(scene: Scene): string | undefined {
  const isIt = (line: LedgerLine) => line.type === 'intent' && line.purpose === 'by_hand';
  const found = linesOf(scene).lines.find(isIt);
  return found !== undefined && 'entry' in found ? found.entry : undefined;
}

const linesOf = (scene: Scene) => parseLedger(scene.files.tree[LEDGER_FILE] ?? '');

/** An apply has paused campaign 77. The files say active again, and there is a new one next to it. */
async function aboutToStart(): Promise<Service> {
  const service = meanwhileService();
  const { scene, simulator } = service;
  simulator.control.seedCampaign('101', OLD);
  declareText(scene, 'Hey', { status: 'paused' });
  expect(outcomes(await applied(scene, '--allow', 'adopt'))).toEqual(['pause applied']);
  scene.clock.move(60_000);
  const both = [campaign(), campaign(NEW)];
  Object.assign(scene.files.tree, declaring({ campaigns: both }));
  return service;
}

describe('a stop by hand while an apply has the lock', () => {
  it.each(['pause', 'archive'])('goes ahead (%s), is on record and is read back', async (verb) => {
    const service = meanwhileService({ files: declaring({ campaigns: [campaign(NEW)] }) });
    service.simulator.control.seedCampaign('101', OLD);
    const { stop, apply } = await stopDuring(service, 'POST create', 'campaigns', verb, '77');
    expect(stop.code, stop.stderr).toBe(0);
    expect(stop.stderr).toContain('another herald run is active (process 4711');
    expect(outcomes(apply)).toEqual(['create applied']);
    expect(live(service)).toContain(`77 ${verb}d`.replace('pauseed', 'paused'));
    const { lines, damaged } = linesOf(service.scene);
    expect(damaged).toEqual([]);
    const intents = lines.flatMap((line) => (line.type === 'intent' ? [line] : []));
    expect(intents.map(({ purpose }) => purpose)).toEqual([null, 'by_hand']);
  });

  it('pauses a broadcast', async () => {
    const service = meanwhileService({ files: declaring({ campaigns: [campaign(NEW)] }) });
    service.simulator.control.seedBroadcast('101', { id: '55', scheduled_at: '2026-06-02T12:00:00Z' });
    const { stop } = await stopDuring(service, 'POST create', 'broadcasts', 'pause', '55');
    expect(stop.code, stop.stderr).toBe(0);
    expect(live(service, 'broadcasts')).toEqual(['55 paused']);
  });

  it('asks before it goes ahead, unless --yes is given', async () => {
    const service = meanwhileService({ files: declaring({ campaigns: [campaign(NEW)] }) });
    const { scene, simulator } = service;
    simulator.control.seedCampaign('101', OLD);
    const stops: Ran[] = [];
    const act = async () => {
      const words = ['campaigns', 'pause', '77', '--account', 'alice'];
      stops.push(await scene.herald(...words));
      scene.answer = (question) =>
        question.startsWith('Pause campaign "Welcome" (77) on account alice at http');
      stops.push(await scene.herald(...words));
    };
    service.expect({ at: 'POST create', act });
    await applied(scene);
    expect(stops.map(({ code }) => code)).toEqual([1, 0]);
    expect(live(service)).toContain('77 paused');
  });

  it.each(['activate', 'unsend'])('only a stop goes ahead: %s waits for the lock', async (verb) => {
    const service = meanwhileService({ files: declaring({ campaigns: [campaign(NEW)] }) });
    service.simulator.control.seedCampaign('101', OLD);
    const { stop } = await stopDuring(service, 'POST create', 'campaigns', verb, '77');
    expect(stop.code).toBe(1);
    expect(stop.stderr).toContain('Another herald run is active');
  });

  it('stops what the apply creates under the same name, too', async () => {
    const service = meanwhileService();
    service.simulator.control.seedCampaign('101', OLD);
    declareText(service.scene, 'Hello', { replace: 'create_first' });
    const { stops, act } = heldUntilStopped(service);
    service.expect({ at: 'POST create', act });
    await applied(service.scene, '--allow', 'adopt');
    const [stop] = await Promise.all(stops);
    expect(stop?.code, stop?.stderr).toBe(0);
    expect(live(service).map((one) => one.split(' ')[1])).toEqual(['paused', 'paused']);
  });
});

describe('an apply, once someone stops an object by hand meanwhile,', () => {
  it('does not switch it on, says who stopped it, and the next plan needs --allow resume', async () => {
    const service = await aboutToStart();
    const { apply, stop } = await stopDuring(service, 'POST create', 'campaigns', 'pause', '77');
    expect(stop.code, stop.stderr).toBe(0);
    expect(outcomes(apply)).toEqual(['create applied', 'activate failed']);
    expect(apply.code).toBe(4);
    expect(messages(apply)).toMatch(
      /Not sent: tester stopped campaign 77 by hand \(paused, .*\) during this run/,
    );
    expect(messages(apply)).toContain('--allow resume');
    expect(live(service)).toContain('77 paused');
    expect(decisions(await planned(service.scene))).toEqual(['blocked alice/campaign/Welcome']);
  });

  it('creates no new version of it, and does not switch the old one on again', async () => {
    const service = meanwhileService();
    service.simulator.control.seedCampaign('101', OLD);
    declareText(service.scene, 'Hello');
    const { apply, stop } = await stopDuring(service, 'PATCH 77 paused', 'campaigns', 'pause', '77');
    expect(stop.code, stop.stderr).toBe(0);
    expect(outcomes(apply)).toEqual(['replace failed']);
    expect(messages(apply)).toContain('tester stopped campaign 77 by hand');
    expect(live(service)).toEqual(['77 paused']);
    expect(decisions(await planned(service.scene))).toEqual(['blocked alice/campaign/Welcome']);
  });

  it('leaves it archived where it would have paused it', async () => {
    const service = meanwhileService();
    const { scene, simulator } = service;
    simulator.control.seedCampaign('101', OLD);
    simulator.control.seedCampaign('101', { ...OLD, id: '78', name: 'First' });
    const off = (name: string) => campaign({ name, status: 'paused' });
    Object.assign(scene.files.tree, declaring({ campaigns: [off('First'), off('Welcome')] }));
    const { apply } = await stopDuring(service, 'PATCH 78 paused', 'campaigns', 'archive', '77');
    expect(outcomes(apply)).toEqual(['pause applied', 'pause failed']);
    expect(live(service)).toEqual(['77 archived', '78 paused']);
  });

  it('still stops a duplicate of it', async () => {
    const service = meanwhileService({ files: declaring({ campaigns: [campaign()] }) });
    for (const id of ['76', '77', '78']) service.simulator.control.seedCampaign('101', { ...OLD, id });
    const { apply } = await stopDuring(service, 'PATCH 77 archived', 'campaigns', 'pause', '76');
    expect(outcomes(apply)).toEqual(['retire applied', 'retire applied']);
    expect(live(service)).toEqual(['76 paused', '77 archived', '78 archived']);
  });

  it('does not ask for a half-done start of an earlier run again', async () => {
    const service = await aboutToStart();
    const { scene } = service;
    declareText(scene, 'Hey');
    await dieBefore(scene, (line) => line.includes('"type":"outcome"'));
    const { stops, act } = heldUntilStopped(service);
    service.expect({ at: 'PATCH 77 active', act });
    await scene.herald('apply', '--yes');
    expect((await stops[0])?.code).toBe(0);
    expect(live(service)).toEqual(['77 paused']);
    expect(decisions(await planned(scene))).toEqual(['blocked alice/campaign/Welcome']);
  });
});

describe('a start that is on its way when the stop is recorded', () => {
  it('and lands after it: the stop waits until it is over and is sent again', async () => {
    const service = await aboutToStart();
    const { scene } = service;
    const { stops, act } = heldUntilStopped(service);
    service.expect({ at: 'PATCH 77 active', act });
    await applied(scene);
    const stop = await stops[0];
    expect(stop?.code, stop?.stderr).toBe(0);
    expect(stop?.stderr).toContain('may still arrive and undo this');
    expect(live(service)).toContain('77 paused');
  });
});

describe('a stop by hand without a list', () => {
  const broken = (operation: 'campaigns.list' | 'broadcasts.list' | 'accounts.list') =>
    ({ kind: 'broken_answer', operation, how: '502', when: 'before_commit' }) as const;

  it.each([
    ['campaigns', 'pause', '77', 'paused'],
    ['campaigns', 'archive', '77', 'archived'],
    ['broadcasts', 'pause', '55', 'paused'],
  ] as const)('stops one of the %s (%s) with a list that cannot be read', async (kind, verb, id, status) => {
    const service = meanwhileService();
    const { scene, simulator } = service;
    simulator.control.seedCampaign('101', OLD);
    simulator.control.seedBroadcast('101', { id: '55', scheduled_at: '2026-06-02T12:00:00Z' });
    simulator.control.addFault(broken(`${kind}.list`));
    const stop = await byHand(scene, kind, verb, id);
    expect(stop.code, stop.stderr).toBe(0);
    expect(live(service, kind)).toEqual([`${id} ${status}`]);
  });

  it('stops what cannot be read by itself either, and says that nothing shows it', async () => {
    const service = meanwhileService();
    service.simulator.control.seedCampaign('101', OLD);
    service.simulator.control.addFault(broken('campaigns.list'));
    service.simulator.control.addFault({
      kind: 'broken_answer',
      operation: 'campaigns.get',
      how: '502',
      when: 'before_commit',
    });
    const stop = await byHand(service.scene, 'campaigns', 'pause', '77');
    expect([stop.code, stop.stdout], stop.stderr).toEqual([
      3,
      expect.stringContaining('could not be read back'),
    ]);
    expect(stop.stderr).toMatch(/it\s+is\s+stopped\s+anyway/);
    expect(live(service)).toEqual(['77 paused']);
  });

  it('says that the object does not exist if the service does not find it', async () => {
    const service = meanwhileService();
    const stop = await byHand(service.scene, 'campaigns', 'pause', '77');
    expect(stop.code).toBe(1);
    expect(stop.stderr).toContain('campaign 77 was not found on account alice');
  });

  it('finds the account of an alias in the ledger where the accounts cannot be read', async () => {
    const service = meanwhileService();
    const { scene, simulator } = service;
    scene.files.tree['herald.yaml'] = (scene.files.tree['herald.yaml'] ?? '').replace(
      'id: "101"',
      'username: alice_x',
    );
    simulator.control.seedCampaign('101', OLD);
    expect((await byHand(scene, 'campaigns', 'archive', '77')).code).toBe(0);
    expect((await byHand(scene, 'campaigns', 'activate', '77')).code).toBe(0);
    simulator.control.addFault(broken('accounts.list'));
    const stop = await byHand(scene, 'campaigns', 'pause', '77');
    expect(stop.code, stop.stderr).toBe(0);
    expect(stop.stderr).toContain('Using account 101 for alice, as in earlier runs');
    expect(live(service)).toEqual(['77 paused']);
  });
});

describe('a ledger that two runs write to', () => {
  it('keeps the stop whole behind a line that a crash cut short', async () => {
    const service = meanwhileService({ files: declaring({ campaigns: [campaign(NEW)] }) });
    const { scene } = service;
    service.simulator.control.seedCampaign('101', OLD);
    const act = async () => {
      scene.files.tree[LEDGER_FILE] += '{"v":1,"at":"2026-06-01T11:0';
      expect((await byHand(scene, 'campaigns', 'pause', '77')).code).toBe(0);
    };
    service.expect({ at: 'POST create', act });
    await applied(scene);
    const { lines, damaged } = linesOf(scene);
    expect(damaged.length).toBe(1);
    expect(lines.some((line) => line.type === 'intent' && line.purpose === 'by_hand')).toBe(true);
  });

  it('gets the stop again where another file has taken its place', async () => {
    const service = meanwhileService({ files: declaring({ campaigns: [campaign(NEW)] }) });
    const { scene } = service;
    service.simulator.control.seedCampaign('101', OLD);
    let replaced = 0;
    const act = async () => {
      const before = scene.files.tree[LEDGER_FILE] ?? '';
      scene.files.onWrite = (_path, text) => {
        // A compaction that had read the file before puts its own in place, right after the line is written.
        if (text.includes('"outcome":"done"') && text.includes('run2'))
          queueMicrotask(() => {
            replaced += 1;
            if (replaced === 1) scene.files.tree[LEDGER_FILE] = before;
          });
        return 'done';
      };
      expect((await byHand(scene, 'campaigns', 'pause', '77')).code).toBe(0);
    };
    service.expect({ at: 'POST create', act });
    await applied(scene);
    const { lines } = linesOf(scene);
    const ofStop = lines.filter(({ run }) => run === 'run2').map(({ type }) => type);
    expect(ofStop.toSorted()).toEqual(['intent', 'outcome']);
    expect(replaced).toBe(2);
  });
});
