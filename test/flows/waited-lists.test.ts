import { describe, expect, it } from 'vitest';
import type { FaultInput } from '../../src/simulator/fault-shape.ts';
import { campaign, declaring } from '../helpers/declare-live.ts';
import { applied, createsSent, messages, outcomes, statuses, writesSent } from '../helpers/flows.ts';
import { aScene, type Scene } from '../helpers/scene.ts';

const NAMES = ['First', 'Second', 'Third'];

/** Someone makes it just before the third look at the list: the plan's is the first, that before creates the second. */
function somebodyMakes(scene: Scene, name: string): Promise<void> {
  const set = { name, trigger: 'welcome_message', created_by: { type: 'user', id: '9' } };
  const seed = { account_id: '101', kind: 'campaign', set } as const;
  return scene.fault({ kind: 'change_before', operation: 'campaigns.list', nth: 3, seed });
}

/** How many lists were read before the last create. */
async function lists(scene: Scene): Promise<number> {
  const operations = (await scene.oracle()).requests.map(({ operation }) => operation);
  const last = operations.lastIndexOf('campaigns.create');
  return operations.slice(0, last).filter((operation) => operation === 'campaigns.list').length;
}

function three(): Scene {
  const campaigns = NAMES.map((name) => campaign({ name, messages: [{ text: name }] }));
  return aScene({ files: declaring({ campaigns }) });
}

describe('creates that go by one list', () => {
  it('read it once as long as none of them waits', async () => {
    const scene = three();
    expect((await applied(scene)).code).toBe(0);
    expect(await lists(scene), 'of the plan, and of the creates').toBe(2);
  });

  it.each<[string, FaultInput, string]>([
    [
      'waited, looked again and was made',
      { kind: 'throttle', operation: 'campaigns.create', nth: 1, times: 1, retry_after_sec: 20 },
      'create applied',
    ],
    [
      'was answered late',
      { kind: 'slow', operation: 'campaigns.create', nth: 1, delay_ms: 30_000 },
      'create applied',
    ],
    [
      'was never answered',
      { kind: 'broken_answer', how: 'timeout', when: 'after_commit', operation: 'campaigns.create', nth: 1 },
      'create adopted',
    ],
  ])('go by a later one after a create that %s', async (_, fault, end) => {
    const scene = three();
    await scene.fault(fault);
    await somebodyMakes(scene, 'Second');
    const run = await applied(scene);
    expect(outcomes(run)).toEqual([end, 'create failed', 'create applied']);
    expect(messages(run)).toMatch(/\d+ appeared with this name since the plan was made/);
    expect(await createsSent(scene)).toBe(fault.kind === 'throttle' ? 3 : 2);
  });
});

describe('more creates of one account than a list serves', () => {
  it('go by a later list: what someone made meanwhile is not created again', async () => {
    const names = Array.from({ length: 170 }, (_, index) => `C${String(index).padStart(3, '0')}`);
    const campaigns = names.map((name) => campaign({ name, messages: [{ text: name }] }));
    const scene = aScene({ files: declaring({ campaigns }) });
    const set = { name: 'C169', trigger: 'welcome_message', created_by: { type: 'user', id: '9' } };
    await scene.fault({
      kind: 'change_before',
      operation: 'campaigns.create',
      nth: 40,
      seed: { account_id: '101', kind: 'campaign', set },
    });
    const run = await applied(scene, '--allow', 'large');
    expect(await createsSent(scene)).toBe(169);
    expect(outcomes(run).filter((outcome) => outcome === 'create failed')).toHaveLength(1);
    expect(messages(run)).toMatch(/\d+ appeared with this name since the plan was made/);
  });
});

describe('a replace with a pause that takes its time', () => {
  it.each<[string, FaultInput]>([
    ['waits', { kind: 'throttle', operation: 'campaigns.set-status', nth: 1, retry_after_sec: 20 }],
    ['is answered late', { kind: 'slow', operation: 'campaigns.set-status', nth: 1, delay_ms: 30_000 }],
  ])('because it %s looks again before it creates', async (_, fault) => {
    const scene = aScene({ files: declaring({ campaigns: [campaign()] }) });
    expect((await applied(scene)).code).toBe(0);
    Object.assign(scene.files.tree, declaring({ campaigns: [campaign({ messages: [{ text: 'Hello' }] })] }));
    await scene.fault(fault);
    await somebodyMakes(scene, 'Welcome');
    const before = await createsSent(scene);
    const run = await applied(scene);
    expect(outcomes(run)).toEqual(['replace failed']);
    expect(messages(run)).toMatch(/Not created: (\d+) appeared .*stays paused: \1 appeared with this name/);
    expect(await createsSent(scene)).toBe(before);
    expect((await writesSent(scene)).at(-1), 'and the old one is not switched on').toMatch(/set-status$/);
    expect((await statuses(scene, 'campaign'))[0]).toBe('paused');
  });
});
